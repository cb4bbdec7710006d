internal import JSONSyntax

/// Runs a program with its own stacks.
///
/// Recursion and backtracking of the program therefore do not use the thread's stack. The mode is the next action:
/// evaluate a node with an input, deliver a value to a frame, or return to the latest choice. When a frame or binding
/// ends, it is dropped unless the latest choice needs it.
struct Machine {
  enum Mode {
    case evaluate
    case deliver
    case back
  }

  let program: Program
  let limits: ReshapeLimits
  var mode = Mode.back
  var node: Ref = -1
  var item = Frame.nothing
  var environment: Int32 = -1
  /// The frame that receives the value; -1 when the value is a result of the program.
  var next: Int32 = -1
  var frames: [Frame] = []
  var choices: [Choice] = []
  var bindings: [Binding] = []
  var meter: Meter
  private var results = 0

  init(_ program: Program, limits: ReshapeLimits) {
    self.program = program
    self.limits = limits
    meter = Meter(steps: limits.steps, bytes: limits.bytes)
  }

  /// Starts the evaluation at the program's entry.
  mutating func begin(_ entry: Ref, on input: JSONValue) throws(ReshapeRunError) {
    guard let depth = input.nesting(atMost: ReshapeLimits.valueDepth) else {
      throw ReshapeRunError(
        message: "the input is nested more than \(ReshapeLimits.valueDepth) levels deep", reason: .limit)
    }
    item = Item(input, depth: Int32(depth))
    node = entry
    mode = .evaluate
  }

  /// The next result; nil when there are no more results.
  mutating func result() throws(ReshapeRunError) -> JSONValue? {
    while true {
      let failure: EvaluationError
      do throws(EvaluationError) {
        guard try step() else { return nil }
        results += 1
        guard results <= limits.results else {
          throw .limit("the program returns more than \(limits.results) results")
        }
        mode = .back
        return try meter.finished(item.value)
      } catch {
        failure = error
      }
      try unwind(failure)
    }
  }

  /// Continues to the next result; returns false when there are no more results.
  private mutating func step() throws(EvaluationError) -> Bool {
    while true {
      try meter.step()
      switch mode {
      case .evaluate: try evaluate()
      case .deliver:
        if next < 0 { return true }
        try deliver()
      case .back:
        guard !choices.isEmpty else { return false }
        try back()
      }
    }
  }

  /// Returns to the `try` or label that handles an error.
  private mutating func unwind(_ error: EvaluationError) throws(ReshapeRunError) {
    switch error {
    case .limit(let message):
      choices = []
      throw ReshapeRunError(message: message, reason: .limit)
    case .exit(let position):
      drop(to: Int(position))
      mode = .back
    case .raised(let value):
      while let choice = choices.popLast() {
        if choice.kind == .left {
          choices.removeLast(choices.count - choice.index)
        } else if choice.kind == .attempt {
          restore(choice)
          guard choice.node >= 0 else {
            mode = .back
            return
          }
          item = choice.item.replaced(by: value, depth: choice.item.depth)
          guard let depth = meter.nesting(of: value) else {
            throw ReshapeRunError(message: "the program takes more steps than are allowed", reason: .limit)
          }
          item.depth = Int32(depth)
          node = choice.node
          mode = .evaluate
          return
        }
      }
      throw ReshapeRunError(message: value.errorText, reason: .raised(value))
    }
  }

  // MARK: - Stacks

  /// Pushes a frame that receives the value of the next evaluated node.
  mutating func push(_ work: Frame.Work, _ node: Ref, number: Int32 = 0, item: Item) throws(EvaluationError) {
    guard frames.count < limits.depth else {
      throw .limit("the jq program is nested more than \(limits.depth) levels deep")
    }
    frames.append(
      Frame(
        work: work, node: node, environment: environment, next: next, bindings: Int32(bindings.count), number: number,
        item: item))
    next = Int32(frames.count - 1)
  }

  /// Pops and returns the next frame; the frame remains on the stack if a choice may return to it.
  ///
  /// The bindings created after the frame are dropped together with it.
  mutating func pop() -> Frame {
    let position = Int(next)
    let heldFrames = Int(choices.last?.frames ?? 0)
    guard position >= heldFrames else {
      let frame = frames[position]
      next = frame.next
      environment = frame.environment
      return frame
    }
    if frames.count > position + 1 { frames.removeLast(frames.count - position - 1) }
    let frame = frames.removeLast()
    let needed = max(Int(frame.bindings), Int(choices.last?.bindings ?? 0))
    if bindings.count > needed { bindings.removeLast(bindings.count - needed) }
    next = frame.next
    environment = frame.environment
    return frame
  }

  mutating func choose(_ kind: Choice.Kind, _ node: Ref, item: Item) throws(EvaluationError) {
    guard choices.count < limits.depth else {
      throw .limit("the jq program keeps more than \(limits.depth) alternatives open")
    }
    choices.append(
      Choice(
        kind: kind, node: node, environment: environment, next: next, frames: Int32(frames.count),
        bindings: Int32(bindings.count), item: item))
  }

  /// Drops the latest choices until `count` remain.
  mutating func drop(to count: Int) {
    if choices.count > count { choices.removeLast(choices.count - count) }
  }

  /// Restores the frames and bindings that existed when a choice was created.
  mutating func restore(_ choice: Choice) {
    let frameCount = Int(choice.frames)
    let bindingCount = Int(choice.bindings)
    if frames.count > frameCount { frames.removeLast(frames.count - frameCount) }
    if bindings.count > bindingCount { bindings.removeLast(bindings.count - bindingCount) }
    environment = choice.environment
    next = choice.next
  }

  mutating func bind(_ value: JSONValue, depth: Int32, node: Ref = -1, closure: Int32 = -1) throws(EvaluationError) {
    guard bindings.count < limits.depth * 10 else {
      throw .limit("the jq program has more than \(limits.depth * 10) variables at once")
    }
    bindings.append(Binding(parent: environment, node: node, environment: closure, value: value, depth: depth))
    environment = Int32(bindings.count - 1)
  }

  /// The binding that is `up` levels outside of the innermost binding.
  mutating func binding(_ up: Int32) throws(EvaluationError) -> Binding {
    if up > 16 { try meter.step(Int(up) / 16) }
    var position = environment
    for _ in 0..<up { position = bindings[Int(position)].parent }
    return bindings[Int(position)]
  }

  /// Makes a node the next one to evaluate.
  mutating func go(to node: Ref, _ item: Item) {
    self.node = node
    self.item = item
    mode = .evaluate
  }
}
