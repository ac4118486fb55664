import type { Page } from 'playwright'
import { describe, expect, inject, it } from 'vitest'
import { carry } from '../console/support/browser.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter } = usePeople()
const shots = process.env.SHOTS

describe('web forms', () => {
  it('are built by keyboard, seen as they will look, refused where a part is not complete, and published', async () => {
    const person = await enter('admin@sunrise.test', '/admin/web-form/list')
    const { page } = person
    await page.getByRole('link', { name: 'Shop visit' }).first().waitFor()
    await expectSound(person, 'forms')
    await page.goto('/admin/web-form/create')
    await settle(person)
    await page.getByLabel('Name', { exact: true }).fill('Kiosk check')
    const add = async (kind: string, label: string) => {
      await page.getByRole('button', { name: 'Add a question' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: kind, exact: true }).click()
      await page.getByLabel('Label', { exact: true }).fill(label)
    }
    await add('Yes or no', 'Is it open?')
    await add('Number', 'Goods on the shelf')
    await add('One of a list', 'Who serves?')
    await page.getByLabel('Option 1', { exact: true }).fill('Owner')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    // The list has a second option without a text.
    await page.getByRole('alert').getByText('“Who serves?”: option 2 needs a text').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/web-form/create')
    await expectSound(person, 'a form that is not complete')
    await page.getByLabel('Option 2', { exact: true }).fill('Helper')
    // Shown only while the kiosk is open.
    const condition = page.getByRole('group', { name: 'Shown when, Who serves?' })
    await condition.getByLabel('Question, Who serves?').click()
    await page.locator('.ant-select-item-option:visible', { hasText: 'Is it open?' }).click()
    await condition.getByLabel('Value, Who serves?').click()
    await page.locator('.ant-select-item-option:visible', { hasText: 'Yes' }).click()
    const names = () => page.locator('.wf-question-name > span:first-child').allInnerTexts()
    expect(await names()).toEqual(['Is it open?', 'Goods on the shelf', 'Who serves?'])
    await page.getByRole('button', { name: 'Who serves? One of a list' }).click()
    await page.getByRole('button', { name: 'Move, Goods on the shelf', exact: true }).focus()
    await carry(page, 'Space')
    await carry(page, 'ArrowDown')
    await page.keyboard.press('Space')
    await expect.poll(names).toEqual(['Is it open?', 'Who serves?', 'Goods on the shelf'])
    await page.getByRole('button', { name: 'Duplicate, Goods on the shelf' }).click()
    await page.getByLabel('Label', { exact: true }).fill('Goods sold today')
    await page.getByRole('button', { name: 'Up, Goods sold today' }).click()
    await expect.poll(names).toEqual(['Is it open?', 'Who serves?', 'Goods sold today', 'Goods on the shelf'])
    await page.getByRole('button', { name: 'Remove, Goods on the shelf' }).click()
    const preview = page.getByRole('complementary', { name: 'Preview' })
    expect(await preview.getByLabel('Who serves?').count()).toBe(0)
    await preview.getByLabel('Is it open?').click()
    await page.locator('.ant-select-item-option:visible', { hasText: 'Yes' }).click()
    await preview.getByLabel('Who serves?').waitFor()
    await expectSound(person, 'the builder')
    if (shots) await page.screenshot({ path: `${shots}/builder.png`, fullPage: true })
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Published as version 1').first().waitFor()
    await page.waitForURL('**/admin/web-form/edit/*')
    await page.getByText('version 1 is in force').waitFor()
    // A change is the draft of the next version until it is published.
    await page.getByLabel('Description').fill('Before noon')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('this draft is not published').waitFor()
  })

  it.each([
    ['light', 360, 800],
    ['dark', 1440, 900],
  ] as const)('are sound, %s at %i px', async (scheme, width, height) => {
    const person = await enter('admin@sunrise.test', '/admin/web-form/list', { scheme, width, height })
    const { page } = person
    const call = await callAs(url, 'admin@sunrise.test')
    const forms = (await call('GET', '/api/web-forms?search=shop')).body.data as { webForms: { Id: string }[] }
    await page.goto(`/admin/web-form/edit/${forms.webForms[0]?.Id}`)
    await settle(person)
    await page.getByRole('button', { name: /^Rent a month/ }).click()
    await expectSound(person, 'the builder')
    if (shots) await page.screenshot({ path: `${shots}/builder-${scheme}-${width}.png`, fullPage: true })
    await page.goto(`/admin/web-form/view/${forms.webForms[0]?.Id}?tab=versions`)
    await settle(person)
    await page.getByText('Shop visit v1').first().waitFor()
    await expectSound(person, 'a form')
    await page.goto('/forms')
    await settle(person)
    await expectSound(person, 'forms to fill in')
    await page.getByRole('link', { name: 'Shop visit v1' }).first().click()
    await page.getByRole('heading', { name: 'Shop visit', level: 1 }).waitFor()
    await settle(person)
    await expectSound(person, 'a form to fill in')
    if (shots) await page.screenshot({ path: `${shots}/fill-${scheme}-${width}.png`, fullPage: true })
  })

  it('are filled in about a lead, kept as a draft meanwhile, and are a tab of the lead', async () => {
    const officer = await callAs(url, 'officer@sunrise.test')
    const made = await officer('POST', '/api/leads', {
      firstName: 'Neema',
      lastName: 'Kiosk',
      phonenumber: `07${String(Date.now()).slice(-8)}`,
    })
    expect(made.status, made.text).toBe(200)
    const leadId = (made.body.data as { lead: { Id: string } }).lead.Id
    const person = await enter('officer@sunrise.test', '/agents/landingpage')
    const { page } = person
    await page.goto(`/forms/fill?leadId=${leadId}`)
    await page.getByRole('link', { name: 'Shop visit' }).waitFor()
    // A form about nothing else is not offered for a lead.
    expect(await page.getByRole('link', { name: 'Market day' }).count()).toBe(0)
    await expectSound(person, 'forms for a lead')
    await page.getByRole('link', { name: 'Shop visit' }).click()
    await page.getByRole('heading', { name: 'Shop visit', level: 1 }).waitFor()
    await page.locator('.ant-select-selection-item, .ant-select-content', { hasText: 'Neema Kiosk' }).first().waitFor()
    await page.getByLabel('Sales on a good day').fill('1500')
    // The draft is written a moment after the last change.
    await expect.poll(() => draftsOn(page)).toEqual([expect.stringContaining(':/forms/fill')])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/forms')
    await page.goto(`/forms/fill?leadId=${leadId}`)
    await page.getByRole('link', { name: 'Shop visit' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    expect(await page.getByLabel('Sales on a good day').inputValue()).toMatch(/1,?500/)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('What do they sell? is required').waitFor()
    const choose = async (label: string, option: string) => {
      await page.getByLabel(label).click()
      await page.locator('.ant-select-item-option:visible', { hasText: option }).click()
    }
    await choose('What do they sell?', 'Food')
    expect(await page.getByLabel('Rent a month').count()).toBe(0)
    await choose('The premises are', 'Rented')
    await page.getByLabel('Rent a month').fill('900')
    await choose('Is the stock in good order?', 'No')
    await page.getByLabel('What is not in order?').fill('Old bread')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Form sent').first().waitFor()
    await page.waitForURL('**/forms/answers')
    await page.getByRole('link', { name: 'Shop visit' }).first().click()
    await page.getByRole('navigation', { name: 'Parts of this record' }).getByRole('link', { name: 'Answers' }).click()
    await page.getByText('Old bread').first().waitFor()
    await settle(person)
    await expectSound(person, 'a filled form')
    if (shots) await page.screenshot({ path: `${shots}/answers.png`, fullPage: true })
    await page.goto(`/sales/leads/${leadId}/view?tab=webFormAnswers`)
    await page.getByText('Shop visit').first().waitFor()
    await settle(person)
    await expectSound(person, 'the forms of a lead')
  })
})

/** Keys of the drafts that the device keeps; a store that is not there yet is not made by looking. */
const draftsOn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'keyval-store')) return []
    return new Promise<string[]>((done) => {
      const opening = indexedDB.open('keyval-store')
      opening.onsuccess = () => {
        const asked = opening.result.transaction('keyval').objectStore('keyval').getAllKeys()
        asked.onsuccess = () => {
          opening.result.close()
          done(asked.result.map(String).filter((key) => key.startsWith('outpost.draft:')))
        }
      }
    })
  })
