/// Room for what the functions of a task hold while they wait for each other.
///
/// Swift keeps that in pieces of a kilobyte, which it gets from the system one after the other as calls go deeper and gives
/// back all at once when the task ends. For a task that is known to go deep one large piece does for all of them
/// (`docs/decisions/async-frames.md`): a piece that was made for one function is used for the next ones too.
package enum FrameRoom {
  private typealias Words8 = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
  private typealias Words64 = (Words8, Words8, Words8, Words8, Words8, Words8, Words8, Words8)
  /// Four kilobytes.
  private typealias Words512 = (Words64, Words64, Words64, Words64, Words64, Words64, Words64, Words64)

  /// Makes room of twelve kilobytes in the task that is running. Nothing of it is touched.
  package static func reserve() async { await hold(nil) }

  /// Never called with anything: what it would hold while it waited makes its frame as large as it is.
  @inline(never)
  private static func hold(_ word: UInt64?) async {
    guard let word else { return }
    let eight: Words8 = (word, word, word, word, word, word, word, word)
    let some: Words64 = (eight, eight, eight, eight, eight, eight, eight, eight)
    var room: (Words512, Words512, Words512) = (
      (some, some, some, some, some, some, some, some), (some, some, some, some, some, some, some, some),
      (some, some, some, some, some, some, some, some)
    )
    await touch(&room.0.0.0.0)
    await touch(&room.1.0.0.0)
    await touch(&room.2.0.0.0)
  }

  @inline(never)
  private static func touch(_ word: inout UInt64) async { word &+= 1 }
}
