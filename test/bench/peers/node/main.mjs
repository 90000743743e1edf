// main.mjs FILE... -- tensors and elements of GGUF files, as @huggingface/gguf reads their headers.
import { gguf } from "@huggingface/gguf";

let tensors = 0, elements = 0n;
for (const path of process.argv.slice(2)) {
	const { tensorInfos } = await gguf(path, { allowLocalFile: true });
	tensors += tensorInfos.length;
	for (const { shape } of tensorInfos) elements += shape.reduce((a, b) => a * b, 1n);
}
console.log(`${tensors} ${elements}`);
