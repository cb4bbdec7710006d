internal import ArgumentParser

/// A command that is a separate program: for `import`, that is `reactor-import`.
protocol CompanionCommand: ParsableCommand {}

/// The command `reactor import`, as the help of `reactor` lists it.
///
/// No run needs the importer, so it is a separate program: `ImportCLI` contains its options, its help and its action.
struct ImportCommand: CompanionCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Translate the configuration of another program into a flow file.")
}
