//! `centipawn key new`: makes an API key.

use std::io::{self, Write};

use clap::{Args, Subcommand};

use super::Failure;
use crate::config::{KEY_PREFIX, KeyHash, check_name, hexadecimal};

/// What to do with keys.
#[derive(Args, Debug)]
pub(super) struct KeyOptions {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// Make a new key: it is shown on stderr this once, and the lines for the file of --api-keys are printed
    ///
    /// `centipawn key new --name alice >> keys.toml` adds it to a file. The file has only the key's hash.
    New {
        /// Whose key it is; by default a name is made of its hash
        #[arg(long, value_name = "NAME", value_parser = name)]
        name: Option<String>,
    },
}

fn name(text: &str) -> Result<String, String> {
    check_name(text).map(|()| text.to_owned())
}

/// Writes the key to `people`, who have to give it to somebody, and what belongs into the file to `file`.
pub(super) fn run(options: KeyOptions, file: &mut dyn Write, people: &mut dyn Write) -> Result<(), Failure> {
    let KeyCommand::New { name } = options.command;
    let mut chance = [0; 32];
    getrandom::fill(&mut chance).map_err(|error| io::Error::other(format!("no random numbers: {error}")))?;
    let key = format!("{KEY_PREFIX}{}", hexadecimal(&chance));
    let hash = KeyHash::of(key.as_bytes()).hexadecimal();
    let name = name.unwrap_or_else(|| format!("key-{}", &hash[..8]));
    writeln!(people, "The key of {name}, which is shown only now:\n{key}\n")?;
    writeln!(file, "[[key]]\nname = \"{name}\"\nsha256 = \"{hash}\"\n")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::parse_keys;

    fn made(name: Option<&str>) -> (String, String) {
        let options = KeyOptions { command: KeyCommand::New { name: name.map(str::to_owned) } };
        let (mut file, mut people) = (Vec::new(), Vec::new());
        run(options, &mut file, &mut people).unwrap();
        (String::from_utf8(file).unwrap(), String::from_utf8(people).unwrap())
    }

    #[test]
    fn the_file_takes_what_is_printed_and_has_no_key() {
        let (one, other) = (made(Some("alice")), made(None));
        let keys = parse_keys(Path::new("keys.toml"), &(one.0.clone() + &other.0)).unwrap();
        assert_eq!(&*keys[0].name, "alice");
        for ((file, people), known) in [one, other].iter().zip(&keys) {
            let key = people.lines().find(|line| line.starts_with(KEY_PREFIX)).unwrap();
            assert_eq!((key.len(), KeyHash::of(key.as_bytes())), (KEY_PREFIX.len() + 64, known.hash));
            assert!(!file.contains(&key[KEY_PREFIX.len()..]));
        }
        assert_ne!(keys[0].hash, keys[1].hash);
    }
}
