const hintKey = 'outpost.session'

/** Whether this device holds a session worth asking the server for; spares visitors of /login a refused call. */
export const sessionHint = {
  read: (): boolean => readSafely() === '1',
  keep: (): void => change(() => localStorage.setItem(hintKey, '1')),
  drop: (): void => change(() => localStorage.removeItem(hintKey)),
}

function readSafely(): string | null {
  try {
    return localStorage.getItem(hintKey)
  } catch {
    // Storage is off: the server is asked every time.
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
