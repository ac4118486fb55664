import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { chromium } from 'playwright'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request, Route } from 'playwright'
import type { ConsoleLayout } from '@outpost/contract/console'
import { fixtureLayout, fixtureToken } from './fixture.ts'

/** What Playwright switches off: our flag takes the place of its own, as Chromium listens to the last one. */
const notWanted =
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch'
/** Two hidden pages of the address bar, which a browser without a face loads anew for every window: 40 % of the time of a short test. */
const addressBar = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup'

/** What every Chromium of the tests is started with. */
export const browserFlags = [
  `--disable-features=${notWanted},${addressBar}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const whole = '/usr/bin/chromium'
/** Debian's Chromium: the build without windows where it is installed, a quarter less of work for the same pages. CHROMIUM names another. */
export const browserPath = process.env.CHROMIUM ?? [`${whole}-headless-shell`, whole].find((path) => existsSync(path)) ?? whole

/** A page of a test lives for seconds: its scripts are not worth the optimising compilers, a seventh of the work of a short test. */
const unhurried = '--js-flags=--no-opt --no-maglev'

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath, args: [...browserFlags, unhurried] })
}

/** For a page that lives for minutes and asks axe hundreds of times: there one of the optimising compilers is worth its work. */
export function launchLasting(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath, args: [...browserFlags, '--js-flags=--no-opt'] })
}

/** A browser that keeps its profile in a folder, as a phone does: closed and opened again it is the same one. */
export const launchProfile = (folder: string, options: BrowserContextOptions, flags = [unhurried]): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { ...options, executablePath: browserPath, args: [...browserFlags, ...flags] })

/** The same with all compilers, as people have it: for measuring what they feel. */
export const launchMeasuredProfile = (folder: string, options: BrowserContextOptions): Promise<BrowserContext> =>
  launchProfile(folder, options, [])

/** Chromium as people have it: for measuring what they feel. */
export function launchWholeBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? whole, args: browserFlags })
}

export type Answers = Record<string, (route: Route) => unknown>
export interface PageOptions {
  url: string
  scheme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Signed in with this layout from the start. */
  layout?: ConsoleLayout
  /** Answers by 'METHOD /path'; what the handler gives back becomes data of a good envelope. */
  answers?: Answers
}
export interface TestPage {
  page: Page
  context: BrowserContext
  /** Console errors, page errors and broken content policy; an empty list is asserted by most tests. */
  faults: string[]
  /** 'METHOD /path' of every call, in order. */
  calls: string[]
  requests: Request[]
  /** Cuts or restores the way to the API; the page learns it as from a browser. */
  setOffline: (isOffline: boolean) => Promise<void>
}

/** A page of the console against a fixture API; service workers are off, so that routes are seen. */
export async function openPage(browser: Browser, options: PageOptions): Promise<TestPage> {
  const { url, scheme = 'light', width = 1280, height = 800, layout, answers = {} } = options
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: scheme,
    serviceWorkers: 'block',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const seen: Seen = { calls: [], requests: [], isOffline: false }
  const faults: string[] = []
  await context.addInitScript(
    ([isIn, name]) => {
      if (isIn) localStorage.setItem('outpost.session', '1')
      localStorage.setItem('outpost.theme', name)
    },
    [layout !== undefined, scheme] as const,
  )
  await context.route('**/api/**', (route) => answer(route, { ...standardAnswers(layout), ...answers }, seen))
  const page = await context.newPage()
  const setOffline = async (isOffline: boolean): Promise<void> => {
    seen.isOffline = isOffline
    await page.evaluate((name) => window.dispatchEvent(new Event(name)), isOffline ? 'offline' : 'online')
  }
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/WebSocket|Failed to load resource/.test(message.text())) faults.push(message.text())
  })
  return { page, context, faults, calls: seen.calls, requests: seen.requests, setOffline }
}

/** The JSON that a request carries, compressed or not. */
export function sentBy<Body = Record<string, unknown>>(request: Request): Body {
  const bytes = request.postDataBuffer() ?? Buffer.from('null')
  return JSON.parse((request.headers()['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()) as Body
}

function standardAnswers(layout: ConsoleLayout | undefined): Answers {
  return {
    'GET /api/ping': () => ({}),
    'POST /api/auth/refresh': (route) =>
      layout ? { token: fixtureToken({ sub: layout.user.Id }), serverNow: new Date().toISOString() } : refuse(route, 401, 'NO_SESSION'),
    'POST /api/auth/ticket': () => ({ ticket: 'x', seconds: 30 }),
    'GET /api/console': () => layout ?? fixtureLayout(),
    'GET /api/notification/unreadnotifications': () => ({ notifications: [], count: 0 }),
    'GET /api/agent/action/latest': () => ({ agentAction: [{ action: 1 }] }),
    'GET /api/tenants/descendantsByUserId': () => ({ tenants: (layout ?? fixtureLayout()).user.tenants, tenantsArranged: [] }),
    'GET /api/auth/sessions': () => ({ sessions: [] }),
    'GET /api/auth/logout': () => ({}),
  }
}

interface Seen {
  calls: string[]
  requests: Request[]
  isOffline: boolean
}

async function answer(route: Route, answers: Answers, seen: Seen): Promise<void> {
  const request = route.request()
  if (seen.isOffline) return route.abort('internetdisconnected')
  const { pathname } = new URL(request.url())
  const name = `${request.method()} ${pathname}`
  seen.calls.push(name)
  seen.requests.push(request)
  const handler = answers[name] ?? Object.entries(answers).find(([key]) => key.endsWith('*') && name.startsWith(key.slice(0, -1)))?.[1]
  const data = handler ? await handler(route) : await refuse(route, 404, 'NOT_FOUND')
  if (data !== undefined) await route.fulfill({ json: { success: true, data } })
}

/** Answers with an error of the table; `more` may name the fields. */
export async function refuse(
  route: Route,
  status: number,
  code: string,
  message = code,
  more: { fields?: { field: string; message: string }[] } = {},
): Promise<undefined> {
  await route.fulfill({ status, json: { success: false, code, status, message, requestId: 'req-7', ...more } })
  return undefined
}

export interface Violation {
  id: string
  nodes: string[]
}

/** What axe finds against WCAG 2.2 AA and its best practices, or against these rules only. */
export async function findViolations(page: Page, rules?: string[], within = 'html'): Promise<Violation[]> {
  await bringAxe(page)
  return page.evaluate(
    async ([only, part]) => {
      const { axe } = window as unknown as {
        axe: {
          run: (
            part: string,
            options: object,
          ) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
        }
      }
      // From the top: what a scrolled page pushes halfway under the bar of the layout is no fault of its size.
      const place = scrollY
      scrollTo({ top: 0, behavior: 'instant' })
      const { violations } = await axe.run(part, {
        runOnly: only ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        resultTypes: ['violations'],
        // We name elements by what they are; a selector for each takes a sixth of the time.
        selectors: false,
        // No rule of these asks for the style sheets, which are large.
        preload: { assets: ['media'] },
      })
      scrollTo({ top: place, behavior: 'instant' })
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map((node) => `${node.html.slice(0, 200)} ${node.failureSummary?.slice(0, 240) ?? ''}`),
      }))
    },
    [rules, within] as const,
  )
}

/** Injected past the content policy, as a test tool may; once a document. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in window)) return
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axeSource })
  await session.detach()
}

/** Waits until a page is settled: nothing of it has changed for a tenth of a second, and nothing moves that comes to an end. */
export async function calm(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        let changedAt = performance.now()
        const observer = new MutationObserver(() => {
          changedAt = performance.now()
        })
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
        const isMoving = () =>
          document
            .getAnimations()
            .some(({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime))
        const look = (): void => {
          if (performance.now() - changedAt < 100 || isMoving()) return void requestAnimationFrame(look)
          observer.disconnect()
          done()
        }
        requestAnimationFrame(look)
      }),
  )
}

/** Presses a key that picks something up or carries it on, and waits until the page says over what it is now. */
export async function carry(page: Page, key: string): Promise<void> {
  const heard = () => [...document.querySelectorAll('[id^=DndLiveRegion]')].map(({ textContent }) => textContent).join()
  const former = await page.evaluate(heard)
  await page.keyboard.press(key)
  await page.waitForFunction((text) => {
    const now = [...document.querySelectorAll('[id^=DndLiveRegion]')].map(({ textContent }) => textContent).join()
    return now !== text && / over /.test(now)
  }, former)
}

/** What another colour scheme can do wrong: all else is the same document. */
export const schemeRules = ['color-contrast', 'link-in-text-block']

/** Rules for a screen that is looked at in both schemes: all of them in light, in dark what may differ. */
export const rulesIn = (scheme: 'light' | 'dark'): string[] | undefined => (scheme === 'dark' ? schemeRules : undefined)

/** What makes the page scroll sideways: the innermost elements that stick out, five at most, with their edges; nothing when it fits. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth: room } = document.documentElement
    if (scrollWidth <= room) return []
    const clips = (element: Element | null): boolean =>
      element !== null && element !== document.body && (getComputedStyle(element).overflowX !== 'visible' || clips(element.parentElement))
    const out = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > room + 0.5 && !clips(element.parentElement),
    )
    const innermost = out.filter((element) => !out.some((other) => other !== element && element.contains(other))).slice(0, 5)
    const named = innermost.map((element) => {
      const { left, right } = element.getBoundingClientRect()
      const text = (element.textContent ?? '').trim().slice(0, 30)
      return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${text}" from ${Math.round(left)} to ${Math.round(right)} of ${room} px`
    })
    return named.length > 0 ? named : [`the page, ${scrollWidth} of ${room} px`]
  })
}

/** Moves to a screen with another heading, and waits until that is shown. */
export async function goAway(page: Page, path: string): Promise<void> {
  const headings = () => [...document.querySelectorAll('#main h1')].map((one) => one.textContent).join()
  const former = await page.evaluate(headings)
  await goTo(page, path)
  await page.waitForFunction((text) => {
    const now = [...document.querySelectorAll('#main h1')].map((one) => one.textContent).join()
    return now !== '' && now !== text
  }, former)
}

/** Moves inside the console as a link does; loading the address anew would be another visit. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
