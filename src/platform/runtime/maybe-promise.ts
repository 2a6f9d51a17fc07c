/** A value, or a promise of it. A promise can cost more than the look-up behind it. */
export type MaybePromise<T> = T | Promise<T>

/** `then` that runs synchronously on a value. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
