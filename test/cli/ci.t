# verify --junit and --sarif: for CI systems. test/cli/ci compares both with --json; here is what a person sees.
$ . test/cli/published.sh; model a; model b; truncate -s -9 b/model.safetensors; numel verify a b none --junit verify.xml --sarif verify.sarif | tail -3; cat verify.xml; sed 's/.*"results":/"results":/' verify.sarif | tail -4
numel: none: cannot open: No such file or directory
size      16.2 KiB
verdicts  0 complete, 1 damaged, 1 not fully checked, 1 unreadable
findings  1 error, 0 warnings, 2 notes
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="numel" tests="9" failures="1" errors="1" skipped="2">
  <testsuite name="a/model.safetensors" tests="4" failures="0" errors="0" skipped="1">
    <testcase name="header" classname="a/model.safetensors"/>
    <testcase name="size" classname="a/model.safetensors"/>
    <testcase name="index" classname="a/model.safetensors"/>
    <testcase name="config" classname="a/model.safetensors">
      <skipped message="the tensors were not compared with a formula: the configuration has no model_type; name the architecture with --arch NAME">note model-unchecked the tensors were not compared with a formula: the configuration has no model_type; name the architecture with --arch NAME
</skipped>
    </testcase>
  </testsuite>
  <testsuite name="b/model.safetensors" tests="4" failures="1" errors="0" skipped="1">
    <testcase name="header" classname="b/model.safetensors"/>
    <testcase name="size" classname="b/model.safetensors">
      <failure message="9 bytes short: tensor &apos;b&apos; ends at 8331, the file at 8322" type="data-missing">error data-missing b/model.safetensors:8322: 9 bytes short: tensor &apos;b&apos; ends at 8331, the file at 8322
</failure>
    </testcase>
    <testcase name="index" classname="b/model.safetensors"/>
    <testcase name="config" classname="b/model.safetensors">
      <skipped message="the tensors were not compared with a formula: the configuration has no model_type; name the architecture with --arch NAME">note model-unchecked the tensors were not compared with a formula: the configuration has no model_type; name the architecture with --arch NAME
</skipped>
    </testcase>
  </testsuite>
  <testsuite name="none" tests="1" failures="0" errors="1" skipped="0">
    <testcase name="header" classname="none">
      <error message="cannot open: No such file or directory"></error>
    </testcase>
  </testsuite>
</testsuites>
"results":[
{"ruleId":"model-unchecked","ruleIndex":1,"level":"note","message":{"text":"the tensors were not compared with a formula: the configuration has no model_type; name the architecture with --arch NAME"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a/model.safetensors"}}}],"properties":{"verifyLevel":"config","checkpoint":"a/model.safetensors"}},
{"ruleId":"data-missing","ruleIndex":0,"level":"error","message":{"text":"9 bytes short: tensor 'b' ends at 8331, the file at 8322"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"b/model.safetensors"},"region":{"byteOffset":8322}},"logicalLocations":[{"fullyQualifiedName":"b"}]}],"properties":{"verifyLevel":"size","checkpoint":"b/model.safetensors"}},
{"ruleId":"model-unchecked","ruleIndex":1,"level":"note","message":{"text":"the tensors were not compared with a formula: the configuration has no model_type; name the architecture with --arch NAME"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"b/model.safetensors"}}}],"properties":{"verifyLevel":"config","checkpoint":"b/model.safetensors"}}],"columnKind":"unicodeCodePoints"}]}
# standard output holds exactly one document; it is written whatever the inputs are
$ . test/cli/published.sh; numel verify none --junit -
numel: none: cannot open: No such file or directory
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="numel" tests="1" failures="0" errors="1" skipped="0">
  <testsuite name="none" tests="1" failures="0" errors="1" skipped="0">
    <testcase name="header" classname="none">
      <error message="cannot open: No such file or directory"></error>
    </testcase>
  </testsuite>
</testsuites>
[3]
$ . test/cli/published.sh; numel verify none --sarif - 2>/dev/null | grep -o '"invocations.*'
"invocations":[{"toolExecutionNotifications":[{"level":"error","message":{"text":"cannot open: No such file or directory"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"none"}}}]}],"executionSuccessful":false}],"results":[],"columnKind":"unicodeCodePoints"}]}
$ . test/cli/published.sh; model a; numel verify a --junit - --sarif -; numel verify a --json --sarif -; numel verify a --junit
numel verify: --junit - and --sarif - both write to standard output
numel verify: --sarif - and --json both write to standard output
numel verify: --junit takes a value: --junit FILE
[2]
# a failed write is reported; other programs' files are left alone
$ . test/cli/published.sh; model a; for f in no/such.xml . /dev/full a/model.safetensors a/config.json; do numel verify -q a --junit $f; echo $?; done; sha256sum a/model.safetensors | grep -c $H
numel: no/such.xml: cannot write: its folder does not exist
3
numel: .: cannot write: it is a folder
3
numel: /dev/full: cannot write: No space left on device
3
numel: a/model.safetensors: exists and is not a file of that kind: not overwritten
3
numel: a/config.json: exists and is not a file of that kind: not overwritten
3
1
$ . test/cli/published.sh; model a; : > new.xml; numel verify -q a --junit new.xml && numel verify -q a --junit new.xml && head -2 new.xml; ls -a | grep -c part
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="numel" tests="4" failures="0" errors="0" skipped="1">
0
[1]
# names with characters that XML and URIs do not allow
$ . test/cli/published.sh; model "]]> & <b> 'q' \"%41\""; truncate -s -9 "]]> & <b> 'q' \"%41\""/model.safetensors; numel verify -q * --junit - | grep '<testsuite '; numel verify -q */ --sarif - | grep -o '"uri":"[^"]*"' | head -1
  <testsuite name="]]&gt; &amp; &lt;b&gt; &apos;q&apos; &quot;%41&quot;/model.safetensors" tests="4" failures="1" errors="0" skipped="1">
"uri":"%5D%5D%3E%20%26%20%3Cb%3E%20%27q%27%20%22%2541%22/model.safetensors"
