#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A machine without libcurl: an interposed `dlopen` does not find it.
  @Suite(.timeLimit(.minutes(2)))
  struct MissingLibraryTests {
    private static let shim = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <string.h>
      void *dlopen(const char *name, int flags) {
        void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
        return next(name && strstr(name, "libcurl") ? "libcurl-is-not-here.so" : name, flags);
      }

      """

    @Test(arguments: [[], ["--fresh"]])
    func `each flow says what is missing, and leaves nothing behind`(_ options: [String]) async throws {
      let workspace = try Workspace()
      try workspace.write(Self.shim, to: "shim.c")
      let compiled = try await workspace.shell("${CC:-cc} -shared -fPIC -o shim.so shim.c -ldl")
      try #require(compiled.status == 0, "\(compiled.stderr)")
      try workspace.write(
        """
        reactor: 1
        http: { base_url: "http://127.0.0.1:1" }
        flows:
          first: { resource: /a, records: "$[*]", persistence: out/first.jsonl, reachability: false }
          second: { resource: /b, records: "$[*]", persistence: out/second.jsonl }
        """, to: "flows/a.yaml")
      let outcome = try await workspace.start(
        ["run"] + options, environment: ["LD_PRELOAD": workspace.folder.appendingPathComponent("shim.so").path]
      ).end()
      #expect(outcome.status == 5, "\(outcome.stdout)\n\(outcome.stderr)")
      let said = outcome.stderr + outcome.stdout
      #expect(said.components(separatedBy: "libcurl could not be loaded").count == 3, "\(said)")
      #expect(said.contains("install it"))
      #expect(workspace.files(hidden: true).filter { $0.hasPrefix("out/") && !$0.contains(".reactor.") } == [])
    }
  }
#endif
