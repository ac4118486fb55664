import { call } from '../data/calls.ts'
import { changeSession } from '../session/store.ts'

/** What this browser does about push messages. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** Whether this device shows notifications while the console is closed. */
export async function pushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return (await subscription()) ? 'on' : 'off'
}

/** Asks the person and the browser, and registers with the server where messages go. A failure is kept with the state of the console. */
export async function registerPush(): Promise<PushState> {
  if (!isSupported() || (await Notification.requestPermission()) !== 'granted') return pushState()
  await tellServer(async () => {
    const worker = await navigator.serviceWorker.ready
    const { publicKey } = (await call('push.key')).data
    return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  })
  return pushState()
}

/** Nothing is shown on this device any more. */
export async function endPush(): Promise<PushState> {
  const found = await subscription()
  if (found) {
    await call('push.end', { body: { token: tokenOf(found) } })
    await found.unsubscribe()
  }
  changeSession({ pushFailure: null })
  return pushState()
}

/** The server forgets a device with its session: after a sign-in one that shows notifications says so again. */
export async function renewPush(): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted') return
  const found = await subscription()
  if (found) await tellServer(() => Promise.resolve(found))
}

async function tellServer(subscribe: () => Promise<PushSubscription>): Promise<void> {
  try {
    await call('push.register', { body: { token: tokenOf(await subscribe()) } })
    changeSession({ pushFailure: null })
  } catch (error) {
    console.info('This device is not registered for push messages.', error)
    changeSession({ pushFailure: error instanceof Error ? error.message : String(error) })
  }
}

async function subscription(): Promise<PushSubscription | null> {
  // Without a worker of ours nothing was ever subscribed; waiting for one could last for ever.
  const worker = await navigator.serviceWorker.getRegistration()
  return (await worker?.pushManager.getSubscription()) ?? null
}

const tokenOf = (found: PushSubscription): string => {
  const { endpoint, keys } = found.toJSON()
  return JSON.stringify({ endpoint, keys })
}
