import { signOut } from '../session/actions.ts'

/** Asks the user what becomes of unsent changes; true when the sign-out goes on. */
export type AskAboutPending = (pending: number) => Promise<boolean>

let ask: AskAboutPending | null = null

/** The dialog that asks; mounted once beside the screens. */
export function setPendingDialog(dialog: AskAboutPending | null): void {
  ask = dialog
}

/** Signs out, after asking when changes of this device are not at the server yet. False: the user stays, and nothing is done. */
export async function requestSignOut(beforeLeaving?: () => Promise<void>): Promise<boolean> {
  const { pendingCount } = await import('../offline/sync/status.ts')
  const pending = await pendingCount()
  if (pending > 0 && ask && !(await ask(pending))) return false
  await signOut(beforeLeaving)
  return true
}
