import { expect, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const people = usePeople()

it('a manager reads how USSD does, opens the sessions behind a number, replays one and tries the menu', async () => {
  const person = await people.enter('branch@sunrise.test', '/clients/ussd/dashboard')
  const { page } = person
  await expectSound(person, 'USSD dashboard')
  await page
    .getByRole('link', { name: /Completed/ })
    .first()
    .click()
  await page.waitForURL(/\/clients\/ussd\/sessions\?/)
  await settle(person)
  expect(page.url()).toContain('COMPLETED')
  await expectSound(person, 'USSD sessions')
  await page
    .getByRole('link', { name: /^\d{9,15} \d{4}-/ })
    .first()
    .click()
  await page.waitForURL(/\/clients\/ussd\/sessions\/[^/]+\/view/)
  await settle(person)
  await page.getByRole('navigation', { name: 'Parts of this record' }).getByRole('link', { name: 'Transcript' }).click()
  await page.locator('main').getByText('Main menu').first().waitFor()
  await expectSound(person, 'a USSD session')
  await page.getByText('Replay in the simulator').first().click()
  await page.waitForURL(/simulator\?session=/)
  await settle(person)
  await page.getByText('It takes').first().waitFor()
  await expectSound(person, 'a replayed session')

  await page.getByRole('button', { name: 'Dial anew' }).click()
  const phone = page.getByRole('region', { name: 'Phone' })
  await phone.getByText('1. My balance').waitFor()
  await answer('1')
  await phone.getByText('Enter your PIN').waitFor()
  await answer('0001')
  await phone.getByText('Wrong PIN').waitFor()
  await answer('2580')
  await phone.getByText('The session is over.').waitFor()
  await phone.getByText('8,480').waitFor()
  await page.goBack()
  await phone.getByText('Wrong PIN').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'the simulator on a phone')

  async function answer(word: string): Promise<void> {
    await phone.getByRole('textbox', { name: 'Answer' }).fill(word)
    await phone.getByRole('button', { name: 'Send' }).click()
  }
})

it('an administrator drafts a menu, publishes it, and clears the lock of nobody without a reason', async () => {
  const person = await people.enter('admin@sunrise.test', '/clients/ussd/menus')
  const { page } = person
  await page.getByRole('button', { name: 'New draft from the menu in force' }).click()
  await page.getByRole('link', { name: 'M-002' }).first().click()
  await settle(person)
  await page.getByRole('link', { name: 'Edit' }).first().click()
  await settle(person)
  await expectSound(person, 'form of a menu')
  await page.getByLabel('Where clients pay').fill('Paybill 700111')
  await page.getByRole('button', { name: 'Save' }).click()
  await settle(person)
  await page.getByRole('link', { name: 'M-002' }).first().click()
  await settle(person)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.locator('main').getByText('Published', { exact: true }).first().waitFor()
  await settle(person)
  await expectSound(person, 'a published menu')
})
