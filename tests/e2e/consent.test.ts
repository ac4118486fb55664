import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()
const officer = 'sales@copper.test'

it('a person of the field withdraws their consent on the profile, the office sees it, and gives it again; the map has them meanwhile as before', async () => {
  const field = await callAs(url, officer)
  const place = (at: number) => ({ latitude: -15.41, longitude: 28.28, accuracy: 10, deviceTime: new Date(at).toISOString() })
  const person = await people.enter(officer, '/profile')
  const { page } = person
  const card = page.getByRole('region', { name: /Followed at work/ })
  await card.getByText('you agreed').waitFor()
  await settle(person)
  await expectSound(person, 'profile with consent')
  await card.getByRole('button', { name: 'Withdraw my consent' }).click()
  await card.getByText('withdrawn', { exact: true }).waitFor()
  expect((await field('POST', '/api/usertracking', place(Date.now()))).body.data).toMatchObject({ stored: 0, notKept: 1 })

  const office = await people.enter('admin@copper.test', '/sales/agents/consents')
  await office.page
    .getByRole('row', { name: /Withdrawn/ })
    .first()
    .waitFor()
  await settle(office)
  await expectSound(office, 'consents')
  await office.page.getByRole('button', { name: 'Ask everybody in the field' }).first().click()
  await office.page
    .getByRole('dialog')
    .getByRole('button', { name: /Ask everybody|OK|Yes/ })
    .click()
  await office.page.getByText('0 people were asked').waitFor()

  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: 'I agree to be followed at work' }).focus()
  await page.keyboard.press('Enter')
  await card.getByText('you agreed').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'profile with consent on a phone')
})
