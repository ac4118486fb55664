import { expect, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

it('an administrator adds a webhook, sees its secret once, and sees what became of a test', async () => {
  const person = await enter('admin@sunrise.test', '/admin/webhooks/add')
  const { page } = person
  person.allow(/status of 422.*\/api\/webhooks/, 'the first address is refused on purpose')
  await page.getByLabel('Name', { exact: true }).fill('Core banking')
  await page.getByLabel('Address').fill('https://10.0.0.7/hooks')
  await page.getByRole('combobox', { name: 'Events' }).click()
  await page.getByRole('combobox', { name: 'Events' }).fill('Lead: created')
  await page.locator('.ant-select-item-option:visible').first().click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The address lies inside the network of the server.').first().waitFor()
  await page.getByLabel('Address').fill('https://hooks.example.invalid/outpost')
  await expectSound(person, 'form of a webhook')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Core banking' }).first().click()
  await settle(person)
  await press('New secret')
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
  const secret = page.getByRole('textbox', { name: 'The new secret' })
  await secret.waitFor()
  expect(await secret.inputValue()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await press('Send a test')
  await page
    .getByRole('tab', { name: 'Attempts' })
    .or(page.getByRole('link', { name: 'Attempts' }))
    .first()
    .click()
  await expect
    .poll(async () => {
      await page.reload()
      await settle(person)
      return page.getByText('webhook.test').count()
    })
    .toBeGreaterThan(0)
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'attempts of a webhook on a phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page
    .getByRole('tab', { name: 'Deliveries' })
    .or(page.getByRole('link', { name: 'Deliveries' }))
    .first()
    .click()
  await settle(person)
  await expectSound(person, 'deliveries of a webhook')

  async function press(name: string) {
    const button = page.getByRole('button', { name, exact: true }).first()
    if (!(await button.isVisible()))
      await page
        .getByRole('button', { name: /^(Actions|More)/ })
        .first()
        .click()
    await button
      .or(page.getByRole('menuitem', { name, exact: true }))
      .first()
      .click()
  }
})
