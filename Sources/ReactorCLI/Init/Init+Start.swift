internal import Fixtures
internal import SourceDiagnostics
internal import Storage

extension InitCommand {
  /// Writes the flow file and the recordings of an example.
  func writeStart(_ name: String, _ console: Console) throws(CommandError) -> ExitCode {
    guard source == nil, curl == nil, file == nil else {
      throw CommandError("--from cannot be used with a source, --curl or -o", help: "reactor init --from \(name)")
    }
    let names = StartingFlow.all.map(\.name)
    guard let start = StartingFlow.all.first(where: { $0.name == name }) else {
      throw CommandError(
        "there is no example '\(PrintableText.of(name))'",
        help: NearMiss.suggestion(for: name, in: names).map { "did you mean '\($0)'?" }
          ?? "examples are \(names.joined(separator: ", "))")
    }
    do throws(FixtureError) {
      // Nothing is written when one of the files exists.
      for file in start.files where !force {
        guard try FixtureFiles.read(file.path) == nil else {
          throw FixtureError("'\(file.path)' exists already", help: "--force replaces it")
        }
      }
      for file in start.files { try FixtureFiles.write(Array(file.text.utf8), to: file.path) }
    } catch {
      throw CommandError(error, error.message.hasSuffix("exists already") ? .usage : .notWritten)
    }
    if !console.isQuiet { console.out.write(start.files.map { "\($0.path)\n" }.joined()) }
    console.note(
      "'reactor test' replays it without a network; the first lines of \(start.files[0].path) say what to change")
    return .passed
  }
}
