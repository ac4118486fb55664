import { firstCallsKey, hintKey } from './boot-names.ts'

/** Whether this device probably has a session; saves visitors of /login a refused call. */
export const sessionHint = {
  read: (): boolean => readSafely() === '1',
  keep: (): void => change(() => localStorage.setItem(hintKey, '1')),
  /** Forgets it, and what the first screens of that session asked for. */
  drop: (): void =>
    change(() => {
      localStorage.removeItem(hintKey)
      localStorage.removeItem(firstCallsKey)
    }),
}

function readSafely(): string | null {
  try {
    return localStorage.getItem(hintKey)
  } catch {
    // Storage is disabled: the server is asked every time.
    return '1'
  }
}

function change(run: () => void): void {
  try {
    run()
  } catch (error) {
    console.info('Browser storage is not available.', error)
  }
}
