internal import ArgumentParser

/// The command `reactor watch`.
struct WatchCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Check flow files at each save, and show the first records from recordings.",
    discussion: """
      Examples:
        reactor watch flows/shop.yaml
        reactor watch
        reactor watch flows/shop.yaml > results.txt

      Each flow is replayed from its recording, as 'reactor test' does: nothing is sent
      and no result is written. '*' marks records that are new or changed since the
      last save. Ctrl-C ends the command.
      """)

  @Argument(help: ArgumentHelp("Files, or folders to search for *.yaml and *.yml. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    try await FlowWatch(invocation, paths: paths, inputs: try invocation.inputs(inputs), folder: folder).run()
  }
}
