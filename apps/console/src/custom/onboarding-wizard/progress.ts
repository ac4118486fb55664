import { steps } from './steps.ts'

/** The progress of a wizard: the step on the screen, the furthest one reached, and what blocks the way. */
export interface Progress {
  active: number
  furthest: number
  error: string | null
  isChecking: boolean
}

export type Move =
  | { kind: 'checking' }
  /** The check of the active step let it through. */
  | { kind: 'passed' }
  | { kind: 'refused'; error: string; at?: number }
  | { kind: 'back' }
  | { kind: 'jump'; to: number }

const last = steps.length - 1
export const startAt = (active = 0, furthest = active): Progress => ({
  active: Math.min(active, last),
  furthest: Math.min(Math.max(active, furthest), last),
  error: null,
  isChecking: false,
})

/** The next state: forward only through a check, back clears the error, a jump only up to the furthest reached. */
export function progressAfter(progress: Progress, move: Move): Progress {
  const { active, furthest } = progress
  switch (move.kind) {
    case 'checking':
      return { ...progress, error: null, isChecking: true }
    case 'passed':
      return {
        active: Math.min(active + 1, last),
        furthest: Math.max(furthest, Math.min(active + 1, last)),
        error: null,
        isChecking: false,
      }
    case 'refused':
      return { ...progress, active: move.at ?? active, error: move.error, isChecking: false }
    case 'back':
      return { ...progress, active: Math.max(active - 1, 0), error: null, isChecking: false }
    case 'jump':
      return move.to > furthest || move.to < 0 ? progress : { ...progress, active: move.to, error: null, isChecking: false }
  }
}

/** Progress by the number of steps done, 0 to 100. */
export const percentOf = ({ furthest }: Progress): number => Math.round((furthest / last) * 100)
