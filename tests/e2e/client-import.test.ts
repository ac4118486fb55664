import { expect, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

it('clients come from a file: columns are chosen, rows judged, a known client is linked, the good rows imported and the others given back', async () => {
  const person = await enter('leader@sunrise.test', '/clients/list')
  const { page } = person
  const shot = async (name: string) => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
  }
  const give = async (text: string) => {
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: /^Choose (a|another) file$/ }).click()
    await (await chosen).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  }
  await page
    .getByRole('link', { name: 'Import', exact: true })
    .or(page.getByRole('button', { name: 'Import', exact: true }))
    .first()
    .click()
  await page.getByRole('heading', { name: 'Import clients', level: 1 }).waitFor()
  await settle(person)
  await expectSound(person, 'import of clients')

  // A heading nobody knows is asked for.
  const head = 'First name,Last name,Reachable at,National ID,Town'
  const good = 'Adhiambo,Ochieng,0745222001,34000001,Kisumu'
  await give(`${head}\n${good}\nBarasa,Wekesa,12,34000002,\nChebet,Koech,0745222003,34000001,`)
  await page.getByRole('heading', { name: 'people.csv: 3 rows' }).waitFor()
  await page.getByText('No column is chosen for: Phone').waitFor()
  expect(await page.getByRole('button', { name: 'Check the rows' }).isDisabled()).toBe(true)
  await page.getByLabel('Reachable at: Is').click()
  await page.locator('.ant-select-item-option:visible').getByText('Phone', { exact: true }).click()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('status').getByText('Is made: 1 · Refused: 2').waitFor()
  await page.getByText('ID number: is that of row 2 too').waitFor()
  await page.getByText(/^Phone: /).waitFor()
  await expectSound(person, 'judged rows')
  await shot('client-import')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectSound(person, 'judged rows on a phone')
  await shot('client-import-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Import 1 client' }).click()
  await page.getByRole('status').getByText('Made: 1 · Refused: 2').waitFor()
  const left = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download the rows that are not taken' }).click()
  const file = await (await (await left).createReadStream()).toArray()
  expect(Buffer.concat(file).toString()).toMatch(
    /^"First name",.*"What is wrong"\r\n"Barasa",.*"phonenumber .*"\r\n"Chebet",.*"idNumber is that of row 2 too"$/s,
  )

  // Said again the person is known, shown with a link, and changed where that is chosen.
  await give(`First name,Last name,Phone,Town\nAdhiambo,Ochieng,0745222001,Siaya`)
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('Phone: belongs to Adhiambo Ochieng').waitFor()
  await page.getByText('is changed to what the file says').click()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('button', { name: 'Import 1 client' }).click()
  await page.getByRole('status').getByText('Changed: 1').waitFor()
  await page.getByRole('link', { name: 'Adhiambo Ochieng' }).click()
  await page.getByRole('heading', { name: 'Adhiambo Ochieng', level: 1 }).waitFor()
  await page.getByText('Siaya').first().waitFor()
})
