import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { demoPassword } from '../../prisma/seed/tree.ts'

export interface PersonOptions {
  /** Address of the server under test. */
  url: string
  scheme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Off unless the test is about offline work: the worker would answer what the test wants to see asked. */
  hasWorker?: boolean
}

/** Someone at a browser of their own: nothing is shared with other persons. */
export interface Person {
  page: Page
  context: BrowserContext
  /** What a careful person would not accept: console errors, unhandled rejections, breaches of the content policy, calls that failed. */
  faults: string[]
  /** Says that faults like this belong to the test, and why. Kept until the context closes. */
  allow(fault: RegExp, reason: string): void
  setOffline(isOffline: boolean): Promise<void>
}

/** Faults that are no one's: what they are is said beside them. */
const harmless: { fault: RegExp; reason: string }[] = [
  { fault: /net::ERR_ABORTED/, reason: 'the page moved on and no longer wants the answer' },
]

/** Opens a context with a fresh profile in which every fault is written down. */
export const openPerson = async (browser: Browser, options: PersonOptions): Promise<Person> =>
  follow(await browser.newContext(contextOf(options)))

/** What a person's browser is like. */
export function contextOf({ url, scheme = 'light', width = 1280, height = 800, hasWorker = false }: PersonOptions): BrowserContextOptions {
  return {
    baseURL: url,
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: 'Africa/Nairobi',
    reducedMotion: 'reduce',
    serviceWorkers: hasWorker ? 'allow' : 'block',
    acceptDownloads: true,
  }
}

/** Writes down every fault of a context; the person is at its first page. */
export async function follow(context: BrowserContext): Promise<Person> {
  const allowed = [...harmless]
  const faults: string[] = []
  let isOffline = false
  let wasOffline = false
  // A page that looks for the network in the moment it comes back gets one more refusal, and that may arrive late.
  const isConnection = (text: string): boolean => wasOffline && /net::ERR_INTERNET_DISCONNECTED/.test(text)
  const note = (fault: string): void => {
    if (!allowed.some((one) => one.fault.test(fault))) faults.push(fault)
  }
  // Told on the console, so that it reaches us from every page, also one that is gone by then.
  await context.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) => console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`)),
  )
  context.on('weberror', (error) => note(`${error.error().stack ?? error.error().message}`))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isConnection(message.text())) note(`console: ${message.text()} ${message.location().url}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (!isOffline && !isConnection(reason)) note(`${request.method()} ${request.url()} ${reason}`)
  })
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    context,
    faults,
    allow: (fault, reason) => void allowed.push({ fault, reason }),
    setOffline: async (next) => {
      isOffline = true
      wasOffline = true
      await context.setOffline(next)
      isOffline = next
    },
  }
}

/** Signs in as a person does, at the page that asks for it, and waits for the console. */
export async function signIn({ page }: Pick<Person, 'page'>, email: string, password = demoPassword): Promise<void> {
  if (!new URL(page.url(), 'http://none').pathname.startsWith('/login')) await page.goto('/login')
  await giveName(page, email, password)
  await page.locator('.o-layout').waitFor()
}

/** Asks for a screen as a stranger, signs in where one is led, and comes to the screen; not all of them wear the layout. */
export async function signInFor({ page }: Pick<Person, 'page'>, email: string, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForURL(/\/login/)
  await giveName(page, email, demoPassword)
  await page.waitForURL((now) => !now.pathname.startsWith('/login'))
}

async function giveName(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail or user name').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
