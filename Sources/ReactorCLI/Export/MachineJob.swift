/// A job that one machine starts by itself: where its files are, and its command.
struct MachineJob {
  /// The folder with the flow files.
  let folder: String
  /// The folder of the results.
  let root: String
  /// The command, with the words that the job itself gives.
  let command: [String]

  /// Creates the job that an engine starts on its own machine.
  ///
  /// - Parameter more: further arguments of the command
  /// - Throws: when a folder is relative
  init(_ job: ExportedJob, more: [String] = []) throws(ExportError) {
    folder = job.folder ?? "/etc/reactor"
    root = job.root ?? "/var/lib/\(job.name)"
    for (flag, path) in [("folder", folder), ("root", root)] where !path.hasPrefix("/") {
      throw ExportError("--\(flag) '\(path)' is not an absolute path", help: "begin it with '/'")
    }
    // A run by hand may hold a flow when the next start comes.
    command =
      ["reactor"] + job.arguments + (job.root == nil ? ["--root", root] : []) + ["--if-running", "skip"] + more
  }
}
