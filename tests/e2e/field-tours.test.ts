import { describe, expect, inject, it } from 'vitest'
import { signInFor, type Person } from '../support/browser.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()

/** Somebody for whom tours start by themselves: a person, not a program at the browser. */
async function arrive(email: string, path: string): Promise<Person> {
  const person = await people.meet({ width: 390, height: 844 })
  await person.context.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
  await signInFor(person, email, path)
  return person
}

/** Goes through the tour that is open by its button; the titles it showed. */
async function walk({ page }: Person): Promise<string[]> {
  const tour = page.locator('.o-tour')
  const titles: string[] = []
  for (;;) {
    const title = await tour.locator('.driver-popover-title').innerText()
    titles.push(title)
    const done = tour.getByRole('button', { name: 'Done' })
    if (await done.isVisible()) {
      await done.click()
      await tour.waitFor({ state: 'detached' })
      return titles
    }
    await tour.getByRole('button', { name: 'Next', exact: true }).click()
    await expect.poll(() => tour.locator('.driver-popover-title').innerText()).not.toBe(title)
  }
}
const toursOf = async (email: string) =>
  (
    (await (await callAs(url, email))('GET', '/api/console')).body.data as {
      user: { tours: Record<string, { status: string; version: number }> }
    }
  ).user.tours

describe('tours of the screens that people use in the field', () => {
  it('lead through a new activity and unsent work on a phone, and are remembered by the server', async () => {
    const officer = await arrive('officer@baobab.test', '/sales/activities/create')
    await officer.page.locator('.o-tour').waitFor()
    await settle(officer)
    await expectSound(officer, 'the tour of a new activity')
    expect(await walk(officer)).toEqual(['What it is', 'When', 'Who goes', 'For whom', 'Where', 'Save'])
    await expect.poll(async () => (await toursOf('officer@baobab.test'))['activity-form']).toMatchObject({ status: 'done', version: 1 })
    await officer.page.goto('/offline/attention')
    await officer.page.locator('.o-tour').waitFor()
    expect(await walk(officer)).toEqual(['What waits', 'Send now, or keep a copy'])
    await expect.poll(async () => (await toursOf('officer@baobab.test'))['unsent-work']).toMatchObject({ status: 'done' })
    await officer.page.reload()
    await officer.page.getByRole('heading', { level: 1, name: 'Needs attention' }).waitFor()
    await settle(officer)
    expect(await officer.page.locator('.o-tour').count()).toBe(0)
  })

  it('lead along the route of the day, on the screen of a plan', async () => {
    const call = await callAs(url, 'branch@baobab.test')
    const { activityPlans } = (await call('GET', '/api/activities/activity-plan?size=50')).body.data as {
      activityPlans: { Id: string; route?: unknown[] }[]
    }
    const plans = await Promise.all(
      activityPlans.map(
        async ({ Id }) =>
          ((await call('GET', `/api/activities/activity-plan/${Id}`)).body.data as { activityPlan: { Id: string; route: unknown[] } })
            .activityPlan,
      ),
    )
    const plan = plans.find(({ route }) => route.length > 0)
    const person = await arrive('branch@baobab.test', `/sales/activities/activity-plan/${plan?.Id}/map-view`)
    await person.page.locator('.o-tour').waitFor()
    const titles = await walk(person)
    expect(titles).toContain('Progress')
    expect(titles).toContain('All stops')
    await expect.poll(async () => (await toursOf('branch@baobab.test'))['route']).toMatchObject({ status: 'done', version: 1 })
  })
})
