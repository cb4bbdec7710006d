/// One level of the nested effects of an action: the action's effect itself, or a sequence inside it. Only the store
/// uses it.
final class EffectScope<R: StateReactor> {
  let action: R.Action
  let completion: Mailbox<R>.Completion?
  let parent: EffectScope?
  /// The effects that have not started; the next effect is last.
  var remaining: [Effect<R.Mutation>]
  /// The number of effects of this level that are running, and of inner levels that have not ended.
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

/// The work of an effect that has started and has not ended.
struct RunningEffect<R: StateReactor> {
  let id: String?
  let scope: EffectScope<R>
  /// Whether the work was cancelled, so that its mutations are ignored.
  var isCancelled = false
}
