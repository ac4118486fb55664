import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserFlags, browserPath } from '../console/support/browser.ts'
import { until } from './until.ts'

/** A tab that is driven by plain DevTools messages. */
export interface Tab {
  /** Loads an address, past caches and workers if asked, and waits until it is complete. */
  go(address: string, options?: { pastWorker?: boolean }): Promise<void>
  /** The value of an expression in the page. Fails where the page does not answer within 15 s. */
  run<Value = unknown>(expression: string): Promise<Value>
  /** Types into what has the focus. */
  type(text: string): Promise<void>
  /** Waits until an expression of the page is true. */
  sees(expression: string): Promise<void>
  /** What a dialog of the browser says, answered so. */
  onDialog(accept: boolean): Promise<string>
}

export interface BareBrowser {
  open(): Promise<Tab>
  close(): Promise<void>
}

/**
 * A Chromium in which no debugger is attached to service workers, as Playwright does: there a worker is never idle, so a new one takes
 * over late or not at all.
 */
export async function openBareBrowser(): Promise<BareBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'outpost-bare-'))
  const flags = [...browserFlags, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank']
  // A group of its own: Debian's Chromium is a script, and what that started would live on after it.
  const program = spawn(browserPath, flags, { stdio: 'ignore', detached: true })
  const end = () => process.kill(-Number(program.pid), 'SIGKILL')
  process.once('exit', end)
  let port = ''
  await until(async () => {
    port = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '')).split('\n')[0] ?? ''
    return port !== ''
  }, 30_000)
  return {
    open: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: 'PUT' })
      const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string }
      return tabOf(await connect(webSocketDebuggerUrl))
    },
    close: async () => {
      const ended = new Promise((done) => program.once('exit', done))
      end()
      process.off('exit', end)
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface Message {
  id?: number
  method?: string
  params?: { type?: string }
  result?: { result?: { value?: unknown }; exceptionDetails?: { text: string } }
}
interface Line {
  send(method: string, params?: object): Promise<Message>
  once(method: string): Promise<Message>
}

async function connect(address: string): Promise<Line> {
  const socket = new WebSocket(address)
  await new Promise((done) => socket.addEventListener('open', done, { once: true }))
  const answers = new Map<number, (message: Message) => void>()
  const listeners = new Map<string, (message: Message) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) answers.get(message.id)?.(message)
    else if (message.method !== undefined) listeners.get(message.method)?.(message)
  })
  let sent = 0
  return {
    send: (method, params = {}) =>
      new Promise((done) => {
        const id = (sent += 1)
        answers.set(id, done)
        socket.send(JSON.stringify({ id, method, params }))
      }),
    once: (method) => new Promise((done) => listeners.set(method, done)),
  }
}

async function tabOf({ send, once }: Line): Promise<Tab> {
  await send('Page.enable')
  const run: Tab['run'] = async <Value>(expression: string) => {
    const late = new Promise<never>((_, fail) => setTimeout(fail, 15_000, new Error(`The page does not answer: ${expression}`)).unref())
    const { result } = await Promise.race([
      send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true }),
      late,
    ])
    if (result?.exceptionDetails) throw new Error(`${result.exceptionDetails.text}: ${expression}`)
    return result?.result?.value as Value
  }
  return {
    run,
    go: async (address, { pastWorker = false } = {}) => {
      const loaded = once('Page.loadEventFired')
      await (pastWorker ? send('Page.reload', { ignoreCache: true }) : send('Page.navigate', { url: address }))
      await loaded
    },
    type: async (text) => void (await send('Input.insertText', { text })),
    sees: (expression) => until(() => run<boolean>(expression), 30_000),
    onDialog: async (accept) => {
      const { params } = await once('Page.javascriptDialogOpening')
      await send('Page.handleJavaScriptDialog', { accept })
      return params?.type ?? ''
    },
  }
}
