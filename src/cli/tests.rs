use std::fs;
use std::path::PathBuf;
use std::process;

use super::*;

fn arguments(line: &[&str]) -> Vec<OsString> {
    [&["centipawn"], line].concat().into_iter().map(OsString::from).collect()
}

fn settings(line: &[&str]) -> Result<Settings, String> {
    match parse(with_default_face(arguments(line))) {
        Ok(Ok(Face::Serve(settings))) => {
            settings.validate().map_err(|error| error.to_string())?;
            Ok(*settings)
        }
        Ok(Ok(other)) => Err(format!("{other:?}")),
        Ok(Err(failure)) => Err(failure.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// A settings file of its own for each test, gone at its end.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("centipawn-{}-{name}.toml", process::id()));
        fs::write(&path, text).unwrap();
        Self(path)
    }

    fn settings(&self, line: &[&str]) -> Result<Settings, String> {
        settings(&[&["serve", "--config", self.0.to_str().unwrap()], line].concat())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn refused(name: &str, text: &str) -> String {
    File::new(name, text).settings(&[]).unwrap_err()
}

#[test]
fn the_definitions_are_sound() {
    CommandLine::command().debug_assert();
}

#[test]
fn every_argument_has_help_and_a_variable() {
    let command = CommandLine::command();
    for face in command.get_subcommands() {
        assert!(face.get_about().is_some(), "{}", face.get_name());
        for argument in face.get_arguments().filter(|argument| argument.get_long() != Some("help")) {
            assert!(argument.get_help().is_some(), "{} {}", face.get_name(), argument.get_id());
        }
    }
    let serve = command.find_subcommand("serve").unwrap();
    for argument in serve.get_arguments().filter(|argument| argument.get_long() != Some("help")) {
        let long = argument.get_long().unwrap();
        let variable = format!("CENTIPAWN_{}", long.replace('-', "_").to_uppercase());
        assert_eq!(argument.get_env().and_then(|name| name.to_str()), Some(variable.as_str()), "--{long}");
    }
}

#[test]
fn serve_is_the_default() {
    let plain = settings(&[]).unwrap();
    assert_eq!(plain.listen, "0.0.0.0:8080".parse().unwrap());
    assert_eq!(plain.cors_origins, ["*"]);
    assert_eq!(settings(&["--listen", "127.0.0.1:9000"]).unwrap().listen, "127.0.0.1:9000".parse().unwrap());
    assert!(settings(&["swerve"]).unwrap_err().contains("'serve'"));
}

#[test]
fn flags_beat_the_file_and_the_file_beats_the_default() {
    let file = File::new(
        "precedence",
        "max-depth = 40\nlisten = \"127.0.0.1:1\"\ncors-origins = [\"https://a.example\", \"https://b.example\"]\n\
         log-format = \"json\"\ninteractive-threads = 3\n",
    );
    let settings = file.settings(&["--listen", "127.0.0.1:2"]).unwrap();
    assert_eq!(settings.listen, "127.0.0.1:2".parse().unwrap());
    assert_eq!(settings.limits.max_depth, 40);
    assert_eq!(settings.cors_origins, ["https://a.example", "https://b.example"]);
    assert_eq!(settings.telemetry.log_format, crate::config::LogFormat::Json);
    assert_eq!(settings.pools.interactive_threads, 3);
    assert_eq!(settings.pools.bulk_requests, 16);
}

#[test]
fn a_bad_file_is_refused_with_advice() {
    let said = refused("unknown", "max_dept = 40\n");
    assert!(said.ends_with("there is no setting `max_dept`; did you mean `max-depth`?"), "{said}");
    let said = refused("strange", "colour = \"red\"\n");
    assert!(said.ends_with("there is no setting `colour`; `centipawn serve --help` lists them"), "{said}");
    let said = refused("range", "max-depth = 400\n");
    assert!(said.contains("`max-depth`: invalid value '400'") && said.contains("1..=127"), "{said}");
    let said = refused("section", "[limits]\nmax-depth = 4\n");
    assert!(said.contains("there is no setting `limits`"), "{said}");
    let said = refused("float", "max-depth = 4.5\n");
    assert!(said.contains("`max-depth`: invalid value '4.5'"), "{said}");
    let said = refused("date", "max-depth = 2030-01-31\n");
    assert!(said.ends_with("a number, true or false, or a list of these; there are no sections"), "{said}");
    let said = refused("nested", "config = \"other.toml\"\n");
    assert!(said.contains("there is no setting `config`"), "{said}");
    let said = refused("syntax", "max-depth = \n");
    assert!(said.contains("is not TOML: line 1, column 13: "), "{said}");
    assert!(
        settings(&["--config", "/nowhere/centipawn.toml"]).unwrap_err().contains("/nowhere/centipawn.toml")
    );
}

#[test]
fn what_is_no_toml_is_named_by_its_place_alone() {
    const SECRET: &str = "deadbeef";
    for (number, wrong) in [
        format!("redis://:{SECRET}@host"),
        format!("\"redis://:{SECRET}@host"),
        format!("\"redis://:{SECRET}\\q@host\""),
        format!("\"\"\n{SECRET} 4"),
        format!("\"\"\n\"{SECRET}\" = 4\n\"{SECRET}\" = 4"),
        format!("[\"{SECRET}\""),
        format!("{{ \"{SECRET}\" }}"),
    ]
    .iter()
    .enumerate()
    {
        let said = refused(&format!("secret-{number}"), &format!("# é\nshared-cache-url = {wrong}\n"));
        assert!(said.contains(" is not TOML: line ") && !said.contains(SECRET), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn fractions_stand_in_a_file_as_numbers() {
    let file = File::new("fractions", "rate-limit = 0.5\ntrace-ratio = 0.05\ninteractive-queue = 7\n");
    let settings = file.settings(&[]).unwrap();
    assert_eq!(Some(settings.guard.rate_limit), crate::config::Rate::per_second(0.5));
    assert_eq!(settings.telemetry.trace_ratio, Some(0.05));
    let said = refused("not-a-number", "rate-limit = nan\n");
    assert!(said.contains("`rate-limit`: invalid value 'NaN'"), "{said}");
}

#[test]
fn contradictions_are_refused() {
    let said = settings(&["--default-movetime-ms", "5000", "--max-movetime-ms", "1000"]).unwrap_err();
    assert!(
        said.starts_with("default-movetime-ms is 5000, but may be at most max-movetime-ms, which is 1000"),
        "{said}"
    );
    for (line, companion) in [
        (["--anonymous", "refuse"], "api-keys"),
        (["--anonymous", "allow"], "api-keys"),
        (["--proxy-header", "forwarded"], "trusted-proxies"),
        (["--proxy-header", "x-forwarded-for"], "trusted-proxies"),
        (["--shared-cache-ca-file", "ca.pem"], "shared-cache-url"),
        (["--shared-cache-topology", "cluster"], "shared-cache-url"),
    ] {
        let setting = line[0].trim_start_matches("--");
        let expected =
            format!("{setting} means nothing without {companion}: set that too, or leave both out");
        assert_eq!(settings(&line).unwrap_err(), expected);
        let value = if companion == "trusted-proxies" { "::1" } else { "redis://localhost" };
        assert!(settings(&[&line[..], &[&format!("--{companion}"), value]].concat()).is_ok(), "{setting}");
    }
    assert!(settings(&["--cors-origins", "*,https://a.example"]).unwrap_err().contains("`*` alone"));
    assert!(settings(&["--cors-origins", "https://a.example/page"]).unwrap_err().contains("without a path"));
    assert!(
        settings(&["--log-level", "loud"]).unwrap_err().contains("try error, warn, info, debug or trace")
    );
}

#[test]
fn perft_takes_a_fen_with_or_without_quotes() {
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let apart: Vec<_> = ["perft", "3"].into_iter().chain(fen.split(' ')).collect();
    for line in [vec!["perft", "3", fen], apart] {
        let face = parse(with_default_face(arguments(&line))).unwrap().unwrap();
        let Face::Perft(options) = face else { panic!("{face:?}") };
        let mut output = Vec::new();
        perft::run(&options, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.contains("\nNodes searched: 2812\n"), "{text}");
    }
}

#[test]
fn eval_prints_rows_that_add_up() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    for evaluator in ["full", "pieces", "psqt", "material", "count"] {
        let line = ["eval", fen, "--evaluator", evaluator, "--detail", "terms"];
        let Face::Eval(options) = parse(with_default_face(arguments(&line))).unwrap().unwrap() else {
            panic!("face")
        };
        let mut output = Vec::new();
        eval::run(&options, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let worth = |row: &str| row.split_whitespace().last().unwrap().parse::<i32>().unwrap();
        let rows = text.lines().skip_while(|row| !row.starts_with("---")).skip(1);
        let terms: i32 = rows.take_while(|row| !row.starts_with("---")).map(worth).sum();
        let all = text.lines().find(|row| row.starts_with("All")).map(worth);
        assert_eq!(Some(terms), all, "{text}");
    }
}

#[test]
fn a_position_that_is_none_is_explained() {
    let face =
        parse(with_default_face(arguments(&["eval", "8/8/8/8/8/8/4K3/8 w - - 0 1"]))).unwrap().unwrap();
    let Face::Eval(options) = face else { panic!("{face:?}") };
    assert!(matches!(eval::run(&options, &mut Vec::new()), Err(Failure::Position(_))));
}

#[test]
fn the_contract_is_printed_as_json() {
    let mut output = Vec::new();
    openapi::run(&mut output).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
}

#[test]
fn folders_without_tables_end_the_start() {
    assert_eq!(settings(&[]).unwrap().syzygy_path, "");
    let said =
        |path: &str| serve::tablebase(path).map(|tables| tables.is_some()).map_err(|error| error.to_string());
    assert_eq!(said(""), Ok(false));
    let error = said("/no/such/folder").unwrap_err();
    assert!(error.starts_with("--syzygy-path: cannot read the folder /no/such/folder"), "{error}");
    let error = said(env!("CARGO_MANIFEST_DIR")).unwrap_err();
    assert!(error.ends_with("has no Syzygy tables, which are files like KQvK.rtbw"), "{error}");
}

#[test]
fn a_table_that_can_never_fill_is_refused() {
    let fits = |line: &[&str]| memory::fits(&settings(line).unwrap().pools);
    assert_eq!(fits(&[]), Ok(()));
    // More than any machine has.
    let error = fits(&["--interactive-hash-mib", "1048576"]).unwrap_err().to_string();
    assert!(error.contains("MiB: lower --interactive-hash-mib"), "{error}");
}
