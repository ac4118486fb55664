import { useState } from 'react'

/** States of something that is edited: those before, the one that is shown, and those that were taken back. */
export interface History<State> {
  past: readonly State[]
  now: State
  future: readonly State[]
}
const mostSteps = 100

export const startHistory = <State>(now: State): History<State> => ({ past: [], now, future: [] })

export const step = <State>({ past, now }: History<State>, next: State): History<State> => ({
  past: [...past, now].slice(-mostSteps),
  now: next,
  future: [],
})

export function undo<State>(history: History<State>): History<State> {
  const { past, now, future } = history
  const before = past.at(-1)
  return before === undefined ? history : { past: past.slice(0, -1), now: before, future: [now, ...future] }
}

export function redo<State>(history: History<State>): History<State> {
  const { past, now, future } = history
  const [next, ...later] = future
  return next === undefined ? history : { past: [...past, now], now: next, future: later }
}

/** A state whose steps can be taken back and done again. */
export function useHistory<State>(start: State) {
  const [history, setHistory] = useState(() => startHistory(start))
  return {
    now: history.now,
    set: (next: State) => setHistory((before) => step(before, next)),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  }
}
