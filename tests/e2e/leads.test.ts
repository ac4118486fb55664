import type { Page } from 'playwright'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { dragCard } from '../console/support/drag.ts'
import { callAs, type Call } from './support/calls.ts'
import { dataOf, leadMaker } from './support/leads.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter } = usePeople()
let manager: Call
let officer: Call
const make = leadMaker(() => officer, 799_410_000)

beforeAll(async () => {
  ;[manager, officer] = [await callAs(url, 'branch@sunrise.test'), await callAs(url, 'officer@sunrise.test')]
})
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of this record' }).getByRole('link', { name, exact: true })

describe('a lead to read', () => {
  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('shows its tabs one by one, kept in the address, %s at %i px', async (scheme, width) => {
    const id = await make({ lastName: 'Reader' })
    await dataOf(officer('PUT', `/api/leads/status/${id}`, { status: 'Contacted' }))
    const person = await enter('branch@sunrise.test', `/sales/leads/${id}/view?tab=stages`, { scheme, width })
    const { page } = person
    await page.getByRole('region', { name: 'Stages' }).getByText('Contacted').waitFor()
    await expectSound(person, 'stages')
    for (const [key, text] of [
      ['consent', 'The client was not asked yet'],
      ['affordability', 'Not assessed yet'],
      ['assignments', 'Nobody holds this lead yet'],
    ] as const) {
      await page.goto(`/sales/leads/${id}/view?tab=${key}`)
      await page.getByText(text).waitFor()
      await settle(person)
      await expectSound(person, key)
    }
    await tab(page, 'Details').click()
    await page.waitForURL((address) => !address.search.includes('tab'))
    await page.goBack()
    await page.waitForURL(/tab=assignments/)
  })
})

describe('two leads of one person', () => {
  it('are merged side by side, and parted again from the message', async () => {
    const [stays, goes] = [
      await make({ city: 'Thika', emailAddress: null }),
      await make({ city: 'Thika', emailAddress: 'tausi.merger@example.org', employer: 'County' }),
    ]
    const person = await enter('branch@sunrise.test', `/sales/leads/${stays}/view?tab=duplicates`)
    const { page } = person
    await page.getByRole('region', { name: 'Duplicates' }).getByRole('link', { name: 'Tausi Merger' }).first().click()
    await page.waitForURL(`**/sales/leads/merge/${stays}/${goes}`)
    await settle(person)
    await expectSound(person, 'merge')
    // What only the other one knows is proposed; the phone is chosen by hand, and the choice is in the address.
    await page.getByRole('group', { name: 'E-mail' }).getByRole('radio', { name: 'tausi.merger@example.org' }).waitFor()
    expect(await page.getByRole('group', { name: 'E-mail' }).getByRole('radio', { name: 'tausi.merger@example.org' }).isChecked()).toBe(
      true,
    )
    await page.getByRole('group', { name: 'Phone', exact: true }).getByRole('radio').nth(1).check()
    await page.waitForURL(/take=.*phone/)
    await page.reload()
    await settle(person)
    expect(await page.getByRole('group', { name: 'Phone', exact: true }).getByRole('radio').nth(1).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
    await page.waitForURL(`**/sales/leads/${stays}/view`)
    expect((await manager('GET', `/api/leads/${goes}`)).status).toBe(404)
    await page.getByText('tausi.merger@example.org').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Both leads are back').waitFor()
    expect((await dataOf<{ lead: object }>(manager('GET', `/api/leads/${goes}`))).lead).toMatchObject({
      emailAddress: 'tausi.merger@example.org',
    })
    expect((await dataOf<{ lead: object }>(manager('GET', `/api/leads/${stays}`))).lead).toMatchObject({ emailAddress: null })
  })
})

describe('a lead that is approved', () => {
  it('becomes a client without retyping, and each leads to the other', async () => {
    const leads = await dataOf<{ leads: { Id: string; fullName: string }[] }>(
      manager('GET', `/api/leads?size=1&filter=${encodeURIComponent('[{"field":"status","op":"eq","value":"Approved"}]')}`),
    )
    const { Id, fullName } = leads.leads[0] as { Id: string; fullName: string }
    const { page } = await enter('branch@sunrise.test', `/sales/leads/${Id}/view`)
    await page
      .getByRole('link', { name: 'Make a client' })
      .or(page.getByRole('button', { name: 'Make a client' }))
      .first()
      .click()
    await page.waitForURL('**/clients/create?leadId=**')
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe(fullName.split(' ')[0])
    await page.getByRole('button', { name: /^Save/ }).click()
    // The form names the lead too, as somebody with the same phone.
    await page.waitForURL('**/clients/list**')
    await page.getByRole('main').getByRole('link', { name: fullName }).first().click()
    await page.waitForURL('**/clients/**/view')
    await page.getByRole('heading', { name: fullName }).waitFor()
    await page.getByRole('main').getByRole('link', { name: fullName }).first().click()
    await page.waitForURL(`**/sales/leads/${Id}/view`)
    expect(await page.getByRole('button', { name: 'Make a client' }).count()).toBe(0)
  })
})

describe('the board of leads', () => {
  const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const card = (page: Page, of: string, name: string) => column(page, of).getByRole('listitem', { name: new RegExp(`^${name}`) })

  it('takes a legal move, and puts an illegal one back with what is allowed', async () => {
    const id = await make({ firstName: 'Boardina', lastName: 'Cardholder' })
    const person = await enter('branch@sunrise.test', '/sales/leads?layout=kanban&search=cardholder')
    const { page } = person
    await card(page, 'New', 'Boardina Cardholder').waitFor()
    await expectSound(person, 'board')
    await dragCard(page, card(page, 'New', 'Boardina Cardholder'), column(page, 'Contacted'))
    await card(page, 'Contacted', 'Boardina Cardholder').waitFor()
    const status = async () => (await dataOf<{ lead: { status: string } }>(manager('GET', `/api/leads/${id}`))).lead.status
    await expect.poll(status).toBe('Contacted')
    await dragCard(page, card(page, 'Contacted', 'Boardina Cardholder'), column(page, 'Assigned'))
    await page
      .locator('.board-refusal')
      .getByText(/cannot become Assigned/)
      .waitFor()
    await card(page, 'Contacted', 'Boardina Cardholder').waitFor()
    expect(await status()).toBe('Contacted')
    // The browser logs the refusal itself; nothing else went wrong.
    expect(person.faults.splice(0).filter((fault) => !fault.includes('409'))).toEqual([])
  })
})
