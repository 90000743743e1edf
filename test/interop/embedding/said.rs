//! Prints all that the crate in docs/embedding/rust reads of each path, in the lines of said.py.

use numel::{escape, Error, Model, OpenOptions, Result};
use std::fmt::Display;

fn text(t: &Option<impl AsRef<str>>) -> String {
    t.as_ref()
        .map_or("-".into(), |t| escape(t.as_ref().as_bytes()))
}

fn number(n: Option<impl Display>) -> String {
    n.map_or("-".into(), |n| n.to_string())
}

fn judged(model: &Model) -> Result<()> {
    let j = model.judgement()?;
    println!(
        "judgement\t{}\t{}\t{}\t{}\t{}",
        j.kind,
        j.verdict,
        text(&j.architecture),
        text(&j.name),
        text(&j.known_by)
    );
    for c in &j.causes {
        println!(
            "cause\t{}\t{}\t{}",
            c.code,
            c.explains,
            escape(c.text.as_bytes())
        );
    }
    for c in &j.causes {
        println!("at-least\t{}", c.state);
    }
    Ok(())
}

fn counted(model: &Model) -> Result<()> {
    let c = model.counts()?;
    let all = [
        c.tensors,
        c.stored,
        c.logical,
        c.unique,
        c.parameters,
        c.buffers,
        c.non_embedding,
        c.active,
    ];
    println!("counts\t{}", all.map(number).join("\t"));
    Ok(())
}

fn told(model: &Model) -> Result<()> {
    let f = model.facts()?;
    let texts = [text(&f.why), text(&f.quantization), text(&f.adapter)].join("\t");
    let (architecture, expression) = (text(&f.architecture), text(&f.expression));
    println!(
        "facts\t{architecture}\t{expression}\t{}\t{texts}\t{}",
        number(f.formula),
        f.unexplained
    );
    Ok(())
}

fn stated(model: &Model) -> Result<()> {
    for line in model.statement()? {
        let n = line?;
        let numbers = format!(
            "{}\t{}\t{}\t{}\t{}",
            n.tensors, n.elements, n.unchecked, n.ground.0, n.explains as u8
        );
        println!(
            "line\t{}\t{numbers}\t{}\t{}",
            n.code,
            escape(n.cause.as_bytes()),
            escape(n.detail.as_bytes())
        );
    }
    Ok(())
}

fn listed(model: &Model) -> Result<()> {
    for tensor in model.tensors()? {
        let t = tensor?;
        let name: String = t.name.iter().map(|b| format!("{b:02x}")).collect();
        let shape: Vec<String> = t.shape.iter().map(u64::to_string).collect();
        println!(
            "tensor\t{name}\t{}\t{}\t{}\t{}\t{}",
            t.dtype,
            shape.join("x"),
            t.elements,
            t.bytes,
            number(t.offset)
        );
    }
    Ok(())
}

fn parted(model: &Model) -> Result<()> {
    for m in model.members()? {
        let j = m.judgement()?;
        println!("member\t{}\t{}\t{}", j.kind, j.verdict, text(&j.name));
    }
    Ok(())
}

fn reported(model: &Model) -> Result<()> {
    let text = model.reconcile_json()?;
    let sum: u64 = text.bytes().map(u64::from).sum();
    println!("json\t{}\t{sum}", text.len());
    Ok(())
}

fn failed(step: &str, e: &Error) {
    let file = escape(e.file.to_string_lossy().as_bytes());
    let file = if file.is_empty() { "-" } else { &file };
    println!(
        "error\t{step}\t{}\t{}\t{file}\t{}\t{e}",
        e.code,
        number(e.offset),
        e.what
    );
}

type Step = (&'static str, fn(&Model) -> Result<()>);

fn tried(model: &Model, steps: &[Step]) {
    for (name, step) in steps {
        if let Err(e) = step(model) {
            failed(name, &e);
        }
    }
}

fn main() -> Result<()> {
    let steps: [Step; 7] = [
        ("judged", judged),
        ("counted", counted),
        ("told", told),
        ("stated", stated),
        ("listed", listed),
        ("parted", parted),
        ("reported", reported),
    ];
    let words: Vec<String> = std::env::args().collect();
    for path in &words[2..] {
        println!("path\t{path}");
        tried(&Model::open(path)?, &steps);
        tried(
            &OpenOptions::new()
                .config(&words[1])?
                .set("vocab_size=7")?
                .open(path)?,
            &steps[..1],
        );
    }
    Ok(())
}
