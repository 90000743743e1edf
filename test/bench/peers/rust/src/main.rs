//! peer FILE... -- tensors and elements of mapped safetensors files, as the crate safetensors reads their headers.
use std::fs::File;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut tensors, mut elements) = (0, 0);
    for path in std::env::args().skip(1) {
        let map = unsafe { memmap2::Mmap::map(&File::open(path)?)? };
        let (_, header) = safetensors::SafeTensors::read_metadata(&map)?;
        for tensor in header.tensors().values() {
            tensors += 1;
            elements += tensor.shape.iter().product::<usize>();
        }
    }
    println!("{tensors} {elements}");
    Ok(())
}
