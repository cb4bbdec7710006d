import Testing

@testable import ReactorCLI

@Suite struct LineDifferenceTests {
  private func patch(_ old: String, _ new: String) -> String {
    String(decoding: LineDifference(from: Array(old.utf8), to: Array(new.utf8)).hunks.flatMap(\.bytes), as: UTF8.self)
  }

  private func lines(_ numbers: ClosedRange<Int>, changing changes: [Int: String] = [:]) -> String {
    numbers.map { (changes[$0] ?? "\($0)") + "\n" }.joined()
  }

  @Test func `a changed line is changed alone, with three lines around it`() {
    #expect(
      patch(lines(1...20), lines(1...20, changing: [10: "ten"]))
        == "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n")
  }

  @Test func `changes that are far from each other are hunks of their own`() {
    #expect(
      patch(lines(1...20), lines(1...20, changing: [2: "2\ntwo", 18: "x"])) == """
        @@ -1,5 +1,6 @@
         1
         2
        +two
         3
         4
         5
        @@ -15,6 +16,6 @@
         15
         16
         17
        -18
        +x
         19
         20

        """)
  }

  @Test(arguments: [
    ("", "a\n", "@@ -0,0 +1,1 @@\n+a\n"), ("a\n", "", "@@ -1,1 +0,0 @@\n-a\n"), ("a\n", "a\n", ""),
    ("a", "a\n", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"),
  ]) func `empty texts and a missing last line break are shown as git shows them`(
    _ old: String, _ new: String, _ shown: String
  ) {
    #expect(patch(old, new) == shown)
  }
}
