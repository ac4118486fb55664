import { sumBy } from 'es-toolkit/math/sumBy'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { carry } from '../console/support/browser.ts'
import { isNightly } from '../support/size.ts'
import { callAs, type Call } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'
import { chooseAgents, drawAround } from './support/planning.ts'

interface Plan {
  Id: string
  name: string
  stops: number
  agentNames: string
}
interface AgentDay {
  agent: string
  planned: number
  done: number
  plans: string[]
}

const url = inject('outpostUrl')
/** A busy machine draws late. */
const plansPath = '/sales/activities/activity-plan'
const { enter } = usePeople()
let call: Call

beforeAll(async () => {
  call = await callAs(url, 'branch@sunrise.test')
})

const plans = async (): Promise<Plan[]> =>
  ((await call('GET', '/api/activities/activity-plan?size=100')).body as { data: { activityPlans: Plan[] } }).data.activityPlans
const todays = async (): Promise<Plan> => (await plans()).find(({ name }) => name.startsWith('Today')) as Plan

describe('planning a week', () => {
  it('takes activities by lasso, shares them out among two officers, orders them, shows conflicts and saves', async () => {
    const officers = (await todays()).agentNames.split(', ')
    const person = await enter('branch@sunrise.test', `${plansPath}/create`)
    const { page } = person
    await page.getByLabel('Name').fill('West and east')
    const dots = () => page.locator('.rp-map .map-dot, .rp-map .map-cluster').count()
    await expect.poll(dots).toBeGreaterThan(0)
    await page.getByLabel('Find unplanned activities').fill('no activity has such a name')
    await expect.poll(dots).toBe(0)
    await page.getByLabel('Find unplanned activities').fill('')
    await expect.poll(dots).toBeGreaterThan(0)
    await chooseAgents(page, officers)
    await drawAround(page, [
      [0.42, 0.42],
      [0.6, 0.42],
      [0.6, 0.6],
      [0.42, 0.6],
    ])
    const share = page.getByRole('button', { name: /^Share out \d+ among 2$/ })
    await share.waitFor()
    const count = Number(/\d+/.exec(await share.innerText())?.[0])
    await share.click()
    await page.getByText(`Whole plan: ${count} stops`).waitFor()
    await page.getByRole('button', { name: 'Order all days' }).click()
    await expectSound(person, 'plan with stops')
    // No stop hides behind a scrollbar of its own.
    expect(await page.locator('.rp-agents').evaluate((list) => list.scrollHeight <= list.clientHeight + 1)).toBe(true)
    await page.getByText('Working hours, speed, start and notes').click()
    await page.getByLabel('Day ends').fill('08:05')
    await page
      .getByText(/Outside working hours/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: /conflicts?$/ }).waitFor()
    await expectSound(person, 'conflicts')
    await page.getByRole('button', { name: 'Save plan' }).click()
    const question = page.getByRole('dialog').filter({ hasText: /Save with \d+ conflicts?\?/ })
    await question
      .getByText(/Outside working hours/)
      .first()
      .waitFor()
    await expectSound(person, 'question before a plan with conflicts is saved')
    await question.getByRole('button', { name: 'Back to the plan' }).click()
    await question.waitFor({ state: 'detached' })
    expect((await plans()).some(({ name }) => name === 'West and east')).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByText(/Outside working hours/)
      .first()
      .waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save plan' }).click()
    // Other work of the agents may conflict with the demo's plan too: then it is asked about and saved all the same.
    const isSaved = page.waitForURL((now) => now.pathname === plansPath)
    await Promise.race([isSaved, question.getByRole('button', { name: 'Save anyway' }).click()])
    await isSaved
    await page.getByRole('link', { name: 'West and east' }).waitFor()
    const saved = (await plans()).find(({ name }) => name === 'West and east')
    expect([saved?.stops, saved?.agentNames]).toEqual([count, officers.toSorted().join(', ')])
  })

  it('moves stops by keys and buttons, takes it back, and asks before changes are lost', async () => {
    const plan = (await plans()).find(({ name }) => name.startsWith('Next week')) as Plan
    const { page } = await enter('branch@sunrise.test', `${plansPath}/${plan.Id}/edit`)
    const names = () => page.locator('.rp-agent').first().locator('.rp-stop-name').allInnerTexts()
    await page.locator('.rp-stop-name').nth(1).waitFor()
    const before = await names()
    const turned = [before[1], before[0], ...before.slice(2)]
    await page
      .getByRole('button', { name: `Down: ${before[0]}` })
      .first()
      .click()
    await expect.poll(names).toEqual(turned)
    await page.locator('.rp').press('Control+z')
    await expect.poll(names).toEqual(before)
    await page.locator('.rp-handle').first().focus()
    await carry(page, 'Space')
    await carry(page, 'ArrowDown')
    await page.keyboard.press('Space')
    await expect.poll(names).toEqual(turned)
    await page.getByRole('link', { name: 'Route Plans' }).click()
    await page.getByRole('dialog').getByText('Stops').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click()
    expect(new URL(page.url()).pathname).toContain('/edit')
  })
})

describe('on the road', () => {
  it.each(isNightly ? (['dark', 'light'] as const) : (['dark'] as const))(
    'shows an officer the next stop and the way to it at 390 px, %s',
    async (scheme) => {
      const { Id, name } = await todays()
      const person = await enter('officer@sunrise.test', `${plansPath}/${Id}/map-view`, { width: 390, height: 844, scheme })
      const { page } = person
      await page.getByRole('heading', { name }).waitFor()
      const next = page.getByRole('region', { name: 'Next stop' })
      expect(await next.getByRole('link', { name: 'Navigate' }).getAttribute('href')).toMatch(/^geo:-?\d+\.\d+,\d+\.\d+/)
      expect(await next.getByRole('link', { name: 'Open, change status' }).getAttribute('href')).toMatch(
        /^\/sales\/activities\/[\w-]{36}\/visit$/,
      )
      await page.getByRole('progressbar', { name: 'Stops done' }).waitFor()
      await expectSound(person, 'route')
      await page.getByText('Map', { exact: true }).click()
      await page.locator('.map-stop').first().waitFor()
      await expectSound(person, 'route on the map')
    },
  )

  it('leaves planning to those who may plan', async () => {
    const { page } = await enter('officer@sunrise.test', plansPath)
    await page.getByRole('link', { name: /^Today/ }).waitFor()
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0)
    await page.goto(`${plansPath}/create`)
    await page.waitForURL(/not-authorized/)
  })
})

describe('the day of all', () => {
  it('shows planned against done, opens the records behind a number, and the plan against what was driven', async () => {
    const { agents } = ((await call('GET', '/api/activities/activity-plan/day-overview')).body as { data: { agents: AgentDay[] } }).data
    const agent = agents.find((one) => one.plans.length > 0) as AgentDay
    const person = await enter('branch@sunrise.test', `${plansPath}/day-overview`)
    const { page } = person
    const number = page.getByRole('button', { name: `Planned: ${agent.planned}, ${agent.agent}` })
    await number.waitFor()
    await expectSound(person, 'day overview')
    // Who types at the beginning of the search stays there, whatever the address says meanwhile.
    const search = page.getByRole('textbox', { name: 'Find an agent' })
    const [first, ...others] = agent.agent.split(' ')
    await search.fill(others.join(' '))
    await page.waitForURL((now) => now.searchParams.get('search') === others.join(' '))
    await search.press('Home')
    await page.keyboard.type(`${first} `, { delay: 30 })
    expect(await search.inputValue()).toBe(agent.agent)
    await page.waitForURL((now) => now.searchParams.get('search') === agent.agent)
    await search.fill('')
    await page.waitForURL((now) => now.searchParams.get('search') === null)
    await number.click()
    const panel = page.getByRole('dialog')
    await expect.poll(() => panel.locator('.dv-records li').count()).toBe(agent.planned)
    await panel.getByText('Planned and driven').click()
    await panel.getByText(/driven \d/).waitFor()
    await panel.locator('.map-stop').first().waitFor()
    await expectSound(person, 'planned and driven')
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    // The numbers over all agents have as many rows behind them.
    const names = await page
      .getByRole('button', { name: /^[A-Z][a-z ]+: \d+$/ })
      .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel ?? ''))
    expect(names).toContain(`Planned: ${sumBy(agents, ({ planned }) => planned)}`)
    for (const name of names) {
      const kind = name.split(':')[0] ?? ''
      // On a quarter hour what was to come is late: number and rows agree, whatever they were.
      const counted = new RegExp(`^${kind}: \\d+$`)
      await page.getByRole('button', { name: counted }).click()
      const title = panel.getByRole('heading', { name: counted })
      const rows = panel.locator(kind === 'On duty' ? '.dv-behind' : '.dv-records li')
      const shown = async () => {
        const number = await title.innerText()
        const hasButton = (await page.locator(`button[aria-label="${number}"]`).count()) === 1
        return hasButton && number === `${kind}: ${await rows.count()}`
      }
      await expect.poll(shown, { message: name }).toBe(true)
      if (name === names[0]) await expectSound(person, 'what is behind a number of all')
      await page.goBack()
      await panel.waitFor({ state: 'detached' })
    }
    const shown = new URL(page.url()).searchParams.get('date')
    await page.keyboard.press(']')
    await page.waitForURL((now) => now.searchParams.get('date') !== shown)
  })

  it('fits a phone, and shows all routes on one map', async () => {
    const person = await enter('branch@sunrise.test', `${plansPath}/day-overview`, { width: 390, height: 844, scheme: 'dark' })
    await expectSound(person, 'day overview on a phone')
    await person.page.goto(`${plansPath}/map-overview`)
    await settle(person)
    await person.page.locator('.map-stop').first().waitFor()
    const stops = () => person.page.locator('.map-stop').count()
    const all = await stops()
    await person.page.getByRole('checkbox').first().uncheck()
    await expect.poll(stops).toBeLessThan(all)
    await expectSound(person, 'all routes on a phone')
  })
})
