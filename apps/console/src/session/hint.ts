import { hintKey, readsKey } from './boot-names.ts'

/** Whether this device probably has a session; saves visitors of /login a refused call. With it goes what first screens asked for. */
export const sessionHint = {
  read: (): boolean => readSafely() === '1',
  keep: (): void => change(() => localStorage.setItem(hintKey, '1')),
  drop: (): void =>
    change(() => {
      localStorage.removeItem(hintKey)
      localStorage.removeItem(readsKey)
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
