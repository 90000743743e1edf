"""data.py PAGE -- prints the data of a page: for each report, a line with the rows of its tables. There must be
as many articles."""
import json, re, sys

page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'(?s)<script type="application/json" id="data">(.*?)</script>', page)[1])
for report in data:
    document = report["document"]
    for table in report["tables"]:
        for column in table["columns"]:
            cells, words = column.get("cells", [0] * table["rows"]), column["words"]
            assert len(cells) == table["rows"], column["name"]
            assert all(isinstance(c, str) or 0 <= c < len(words) for c in cells), column["name"]
        assert len(table.get("depths", range(table["rows"]))) == table["rows"]
    rows = " ".join(str(t["rows"]) for t in report["tables"])
    print(report["report"], "main" if report["main"] else "more", document["schema"] if document else "-", rows and "rows " + rows)
if page.count("<article") != len(data): print("%d articles, %d reports" % (page.count("<article"), len(data)))
