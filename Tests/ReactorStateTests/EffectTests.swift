import ReactorState
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EffectTests {
  @Test func `K-016: each mutation is reduced before the effect goes on`() async {
    let store = ReactorStore(
      Machine(initialState: ["a"]) { _, _ in
        .run { emit in
          for next in ["b", "c", "d", "e", "f"] {
            let last = emit.read(of: Machine.self) { $0.last }
            await emit((last.flatMap { $0 } ?? "?") + next)
          }
        }
      })
    await store.dispatch("go")
    #expect(await store.state == ["a", "ab", "abc", "abcd", "abcde", "abcdef"])
  }

  @Test func `K-016: mutations that are not awaited keep their order too`() async {
    let store = ReactorStore(
      Machine { _, _ in
        .run { emit in
          for number in 0..<500 {
            if number.isMultiple(of: 7) { await emit("\(number)") } else { emit.send("\(number)") }
          }
        }
      })
    await store.dispatch("go")
    #expect(await store.state == (0..<500).map { "\($0)" })
  }

  @Test func `K-021: an error retains earlier mutations, is reported, and later actions work`() async {
    let reported = Mutex<[String]>([])
    let store = ReactorStore(
      Machine { action, _ in
        .sequence(
          .run { emit in
            await emit(action)
            throw Failure(text: action)
          }, .commit("never"))
      },
      unhandled: { error, action in reported.withLock { $0.append("\(action): \(error)") } })
    for number in 0...5 { await store.dispatch("\(number)") }
    #expect(await store.state == ["0", "1", "2", "3", "4", "5"])
    #expect(reported.withLock { $0 } == (0...5).map { "\($0): Failure(text: \"\($0)\")" })
  }

  @Test func `K-021: an error becomes the reactor's own mutation`() async {
    let store = ReactorStore(
      Machine(errorMutation: { error, action in "\(action) failed: \((error as? Failure)?.text ?? "")" }) { _, _ in
        .run { _ in throw Failure(text: "no response") }
      },
      unhandled: { error, _ in Issue.record("\(error) was handled") })
    await store.dispatch("a")
    #expect(await store.state == ["a failed: no response"])
  }

  @Test func `K-023: the end of an effect ends nothing else`() async {
    let store = ReactorStore(Machine { action, _ in .run { await $0(action) } })
    for number in 0...5 { await store.dispatch("\(number)") }
    #expect(await store.state == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func `K-024: stop cancels what runs, and a new start goes on from the state`() async {
    // How many ticks there were; the effect adds a word for each.
    let ticks = StateRelay(0)
    let store = ReactorStore(
      Machine { action, _ in
        guard action == "start" else { return .cancel(id: "ticking") }
        return .run(id: "ticking") { emit in
          for await tick in ticks.values {
            guard let count = emit.read(of: Machine.self, { $0.count }) else { return }
            if tick > count { await emit("\(count)") }
          }
        }
      })
    for start in 0..<2 {
      store.send("start")
      for tick in 1...3 {
        ticks.value = 3 * start + tick
        _ = await store.states.first { $0.count == 3 * start + tick }
      }
      await store.dispatch("stop")
      ticks.value = 100
      await store.idle()
      ticks.value = 0
    }
    #expect(await store.state == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func `a cancelled effect changes nothing, even if it ignores the cancellation`() async {
    let (began, mayEnd) = (Latch(), Latch())
    let store = ReactorStore(
      Machine(cancellationMutation: { "\($0) of \($1) cancelled" }) { action, _ in
        guard action == "start" else { return .sequence(.cancel(id: "work"), .commit("stopped")) }
        return .sequence(
          .run(id: "work") { emit in
            await emit("begun")
            began.open()
            await Task { await mayEnd.wait() }.value
            await emit("late")
            emit.send("later")
            throw Failure()
          }, .commit("done"))
      },
      unhandled: { error, _ in Issue.record("\(error) of a cancelled effect") })
    async let start: Void = store.dispatch("start")
    await began.wait()
    await store.dispatch("stop")
    #expect(await store.state == ["begun", "work of start cancelled", "stopped"])
    mayEnd.open()
    await start
    #expect(await store.state == ["begun", "work of start cancelled", "stopped"])
  }

  @Test func `an effect that gives itself up is cancelled, not failed`() async {
    let store = ReactorStore(
      Machine(errorMutation: { _, _ in "error" }, cancellationMutation: { id, _ in "\(id) cancelled" }) { _, _ in
        .run(id: "a") { _ in throw CancellationError() }
      })
    await store.dispatch("x")
    #expect(await store.state == ["a cancelled"])
  }

  @Test func `the latest effect of an id replaces the others`() async {
    let gates = (0..<3).map { _ in Latch() }
    let store = ReactorStore(
      Machine { action, _ in
        .latest(id: "request") { emit in
          await gates[Int(action) ?? 0].wait()
          await emit(action)
        }
      })
    for action in ["0", "1", "2"] { store.send(action) }
    _ = await store.state
    for gate in gates { gate.open() }
    await store.idle()
    #expect(await store.state == ["2"])
  }

  @Test func `a sequence waits for each member, a merge for none, and nested ones too`() async {
    let (first, second) = (Latch(), Latch())
    let store = ReactorStore(
      Machine { _, _ in
        .sequence(
          .commit("1"),
          .merge(
            .sequence(
              .run { emit in
                await first.wait()
                await emit("2")
              }, .commit("3")),
            .run { emit in
              await second.wait()
              await emit("4")
            }, .none, .commit("0")), .sequence(.commit("5"), .sequence([]), .commit("6")))
      })
    async let all: Void = store.dispatch("go")
    first.open()
    _ = await store.states.first { $0.contains("3") }
    #expect(await store.state == ["1", "0", "2", "3"])
    second.open()
    await all
    #expect(await store.state == ["1", "0", "2", "3", "4", "5", "6"])
  }

  @Test func `an error ends its sequence and those around it, and no other branch`() async {
    let gate = Latch()
    let store = ReactorStore(
      Machine(errorMutation: { _, _ in "error" }) { _, _ in
        .merge(
          .sequence(.sequence(.run { _ in throw Failure() }, .commit("inner")), .commit("outer")),
          .sequence(.run { _ in await gate.wait() }, .commit("other")))
      })
    async let all: Void = store.dispatch("go")
    _ = await store.states.first { $0 == ["error"] }
    gate.open()
    await all
    #expect(await store.state == ["error", "other"])
  }

  @Test func `ten thousand members of a sequence need no deep stack`() async {
    let members = (0..<10_000).map { Effect<String>.sequence(.commit("\($0)")) }
    let store = ReactorStore(Machine { _, _ in .sequence(members) })
    await store.dispatch("go")
    #expect(await store.state.count == 10_000)
  }

  @Test func `a dispatch ends when its task is cancelled, and the effect goes on`() async {
    let (began, mayEnd) = (Latch(), Latch())
    let store = ReactorStore(
      Machine { _, _ in
        .run { emit in
          began.open()
          await mayEnd.wait()
          await emit("done")
        }
      })
    let dispatch = Task { await store.dispatch("go") }
    await began.wait()
    dispatch.cancel()
    await dispatch.value
    #expect(await store.state == [])
    mayEnd.open()
    await store.idle()
    #expect(await store.state == ["done"])
  }
}
