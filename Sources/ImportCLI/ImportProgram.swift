internal import ArgumentParser
internal import ReactorCLI

/// The program `reactor-import`, which `reactor import` starts.
public enum ImportProgram {
  /// Runs the program of this process and ends the process.
  ///
  /// Call this function on the main thread, before any other thread is started.
  public static func main() -> Never {
    // Help and messages show the command by its name in `reactor`.
    Program.main(ImportRoot.self, ["import"] + CommandLine.arguments.dropFirst())
  }
}

/// The exit codes of `reactor`; ArgumentParser also has a type of this name.
typealias ExitCode = ReactorCLI.ExitCode
