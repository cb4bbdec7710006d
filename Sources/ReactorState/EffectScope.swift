/// A nesting level of the effects of one action. Only its store uses it.
final class EffectScope<R: StateReactor> {
  let action: R.Action
  let completion: Mailbox<R>.Completion?
  let parent: EffectScope?
  /// The effects that have not started; the next effect is last.
  var remaining: [Effect<R.Mutation>]
  /// The number of running effects and inner levels in this level.
  var pending = 0
  var isAdvancing = false

  init(
    _ effects: [Effect<R.Mutation>], of action: R.Action, _ completion: Mailbox<R>.Completion?, in parent: EffectScope?
  ) {
    remaining = effects.reversed()
    self.action = action
    self.completion = completion
    self.parent = parent
  }
}

/// Work that a store runs.
struct RunningEffect<R: StateReactor> {
  let id: String?
  let scope: EffectScope<R>
  /// Whether the mutations of the work are ignored.
  var isCancelled = false
}
