import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { openBareBrowser, type BareBrowser, type Tab } from '../support/bare-browser.ts'

const url = inject('outpostUrl')
let browser: BareBrowser
let tab: Tab
// Whichever worker is asked, the former one or the new one, forgets.
beforeAll(() => deployBefore(forgetsOnce))
beforeEach(async () => {
  browser = await openBareBrowser()
  tab = await browser.open()
  await signIn(tab)
})
afterEach(() => browser.close())

/** A button of the dialog that asks. */
const button = (name: string) =>
  `[...document.querySelectorAll('[role=dialog] button')].find((one) => one.textContent === ${JSON.stringify(name)})`
const press = (one: Tab, name: string) => one.run(`void ${button(name)}.click()`)
const isOffered = `document.querySelector('[role=dialog]')?.textContent.includes("A new update is available. Click 'OK' to reload now, or cancel to save your work!") === true`
const isWorkerInUse = `navigator.serviceWorker.controller !== null`
const firstName = `[...document.querySelectorAll('label')].find((one) => one.textContent === 'First name')?.control`
const isHome = `document.querySelector('main h1')?.textContent === 'My Work'`

async function signIn(one: Tab): Promise<void> {
  await one.go(`${url}/login`)
  for (const [field, text] of [
    ['input:not([type=password])', 'officer@sunrise.test'],
    ['input[type=password]', demoPassword],
  ] as const) {
    await one.sees(`document.querySelector(${JSON.stringify(field)}) !== null`)
    await one.run(`document.querySelector(${JSON.stringify(field)}).focus()`)
    await one.type(text)
  }
  await one.run(`document.querySelector('form [type=submit]').click()`)
  await one.sees(isHome)
  await one.sees(`navigator.serviceWorker.getRegistration().then((registration) => registration?.active?.state === 'activated')`)
  await one.go(`${url}/agents/landingpage`)
  await one.sees(isWorkerInUse)
}

const worker = () => join(inject('outpostConsole'), 'worker.js')
const deploy = () => appendFile(worker(), '\n// deployed anew')
/** An address that no other test opens: all of them get the worker that is deployed here. */
const forgotten = 'forgotten=1'
/** Does once what Chromium does at times to a page that is asked for in the moment a worker takes over, and leaves a mark. */
const forgetsOnce = `self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || !event.request.url.endsWith('${forgotten}')) return
  const never = async () => {
    await caches.open('${forgotten}')
    await new Promise(() => {})
  }
  event.respondWith(caches.has('${forgotten}').then((isMarked) => (isMarked ? fetch(event.request) : never())))
})`

/** Deploys a worker in which this runs first, at once: who reads the file meanwhile gets the former one. */
async function deployBefore(source: string): Promise<void> {
  await writeFile(`${worker()}.new`, `${source}\n${await readFile(worker(), 'utf8')}`)
  await rename(`${worker()}.new`, worker())
}

const look = (one: Tab) => one.run(`navigator.serviceWorker.getRegistration().then((all) => all.update()).then(() => true)`)

/** A lead form that somebody has begun to fill in. */
async function beginLead(one: Tab): Promise<void> {
  await one.go(`${url}/sales/leads/create`)
  await one.sees(`${firstName} !== undefined`)
  await one.run(`${firstName}.focus()`)
  await one.type('Half')
}

/** Presses OK and waits until the page is there anew. */
async function agree(one: Tab): Promise<void> {
  await one.run('window.isFormer = true')
  await press(one, 'OK')
  await one.sees(`window.isFormer === undefined && document.readyState === 'complete'`).catch(async (error: unknown) => {
    throw new Error(`It was not loaded anew: ${String(await one.run('document.body.innerText.slice(0, 200)'))}`, { cause: error })
  })
}

/** The same, with the new worker. */
async function take(one: Tab): Promise<void> {
  await agree(one)
  expect(await one.run(`navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting)`)).toBe(null)
}

describe('a new version', () => {
  it('is offered, waits while a form is being filled in, and is taken by OK', async () => {
    await beginLead(tab)
    await deploy()
    await look(tab)
    await tab.sees(isOffered)
    await press(tab, 'Cancel')
    await tab.sees(`!(${isOffered})`)
    expect(await tab.run(`${firstName}.value`)).toBe('Half')

    // Asked again at the next visit; nothing is lost by then.
    const asked = tab.onDialog(true)
    await tab.go(`${url}/agents/landingpage`)
    expect(await asked).toBe('beforeunload')
    await tab.sees(isOffered)
    await take(tab)
    await tab.sees(isHome)
  })

  it('taken in one tab leaves the half-filled form of another alone, which is asked for itself', async () => {
    await beginLead(tab)
    const other = await browser.open()
    await other.go(`${url}/agents/landingpage`)
    await other.sees(isHome)
    await deploy()
    await look(other)
    await tab.sees(isOffered)
    await press(tab, 'Cancel')
    await tab.sees(`!(${isOffered})`)
    await other.sees(isOffered)
    await take(other)
    await tab.sees(isOffered)
    expect(await tab.run(`${firstName}.value`)).toBe('Half')

    // The browser asks before the form is lost; whoever stays may choose again.
    const asked = tab.onDialog(false)
    await press(tab, 'OK')
    expect(await asked).toBe('beforeunload')
    await tab.sees(`${button('OK')}?.className.includes('loading') === false`)
    expect(await tab.run(`${firstName}.value`)).toBe('Half')
    void tab.onDialog(true)
    await take(tab)
  })

  it('comes at the second attempt where the page that was asked for first never comes', async () => {
    await tab.run(`void history.replaceState(history.state, '', '?${forgotten}')`)
    await deploy()
    await look(tab)
    await tab.sees(isOffered)
    // The former worker waits for the page that it never gives, and stays: which of the two gives the next one does not matter here.
    await agree(tab)
    await tab.sees(isHome)
    expect(await tab.run(`caches.delete('${forgotten}')`)).toBe(true)
  })

  it('is taken by a page that was loaded past the worker', async () => {
    // Without another tab of the former version the new one would not wait.
    const other = await browser.open()
    await other.go(`${url}/agents/landingpage`)
    await other.sees(isWorkerInUse)
    await deploy()
    await tab.go('', { pastWorker: true })
    await tab.sees(isHome)
    expect(await tab.run('navigator.serviceWorker.controller')).toBe(null)
    await look(tab)
    await tab.sees(isOffered)
    await take(tab)
    await tab.sees(isHome)
  })
})
