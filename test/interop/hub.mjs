// hub.mjs PACKAGE FOLDER... -- counts each folder's model.safetensors as the Hub's pages do, with its own
// code. A line of JSON for each: {"value": ...}.
import fs from "node:fs";

const { parseSafetensorsMetadata } = await import(process.argv[2]);

function serve(folder) {
	return async (input, init) => {
		const url = typeof input === "string" ? input : (input.url ?? input.href);
		const path = `${folder}/${url.split("/").pop()}`;
		if (!fs.existsSync(path)) {
			return new Response(null, { status: 404, headers: { "X-Error-Code": "EntryNotFound" } });
		}
		const data = fs.readFileSync(path);
		const range = new Headers(init?.headers).get("range");
		if (!range) return new Response(data, { status: 200, headers: { etag: '"x"' } });
		const [first, last] = range.slice("bytes=".length).split("-");
		const end = last === "" ? data.length - 1 : Math.min(Number(last), data.length - 1);
		return new Response(data.subarray(Number(first), end + 1), {
			status: 206,
			headers: { "content-range": `bytes ${first}-${end}/${data.length}`, etag: '"x"' },
		});
	};
}

for (const folder of process.argv.slice(3)) {
	const r = await parseSafetensorsMetadata({ repo: "a/b", computeParametersCount: true, fetch: serve(folder) });
	const sum = Object.values(r.parameterCount).reduce((a, b) => a + b, 0);
	console.log(JSON.stringify({ value: r.parameterTotal ?? sum }));
}
