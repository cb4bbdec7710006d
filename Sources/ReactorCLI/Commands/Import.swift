internal import ArgumentParser

/// A command that is a separate program: for `import`, that is `reactor-import`.
protocol CompanionCommand: ParsableCommand {}

/// The command `reactor import`, as the root lists it.
///
/// No run needs the importer, so it is built apart: `ImportCLI` has its options, its help and its work.
struct ImportCommand: CompanionCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Translate the configuration of another program into a flow file.")
}
