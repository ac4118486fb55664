import { Decimal, moneyText } from '@outpost/rules/money'
import type { Formats } from '@outpost/rules/formats'
import { formatDay } from '@outpost/rules/time-zone'
import { itemsUnder, type Deed, type Menu, type MenuItem } from './menu.items.ts'
import { asked, clip, isWeak, moneyOf, plain } from './words.ts'

export interface LoanLine {
  id: string
  number: string
  owed: string
  /** What is late, and with it the next instalment. */
  due: string
  dueOn: string | null
}
export interface PaymentLine {
  on: string
  amount: string
}
export type Verdict = { kind: 'right' } | { kind: 'wrong'; left: number } | { kind: 'locked' }

/** What the machine asks of the world; real, or of the simulator. */
export interface Port {
  company: string
  currency: string
  formats: Formats
  payTo: string | null
  client: { firstName: string; hasPin: boolean; hasIdNumber: boolean; isOtherNetwork: boolean } | null
  checkPin(pin: string): Promise<Verdict>
  checkIdNumber(number: string): Promise<Verdict>
  hash(pin: string): Promise<string>
  isSame(hash: string, pin: string): Promise<boolean>
  setPin(hash: string): Promise<void>
  loans(): Promise<LoanLine[]>
  payments(loanId: string): Promise<PaymentLine[]>
  request(kind: 'Loan' | 'Call back', amount: string | null): Promise<void>
}

/** Where a session is: what the next token answers. */
export type Place =
  | { at: 'menu'; menu: string | null }
  | { at: 'idNumber' | 'pin' | 'newPin'; goal: Deed }
  | { at: 'repeatPin'; goal: Deed; hash: string }
  | { at: 'whichLoan'; goal: 'statement' | 'pay' }
  | { at: 'howMuch' | 'otherAmount'; loanId: string }
  | { at: 'loanAmount' | 'callBack' }
export interface Reply {
  text: string
  /** Null: the session ends. */
  place: Place | null
  /** Name of the screen, for drop-off. */
  screen: string
}

/** What is typed at these places is kept as stars. */
export const isSecret = (place: Place | null): boolean => place !== null && ['pin', 'newPin', 'repeatPin', 'idNumber'].includes(place.at)

const names: Readonly<Record<Place['at'], string>> = {
  menu: 'Main menu',
  idNumber: 'ID number',
  pin: 'PIN',
  newPin: 'New PIN',
  repeatPin: 'Repeat PIN',
  whichLoan: 'Choice of loan',
  howMuch: 'Amount to pay',
  otherAmount: 'Other amount',
  loanAmount: 'Amount of loan',
  callBack: 'Call back',
}
const ask = (place: Place, words: string, screen = names[place.at]): Reply => ({ text: `CON ${clip(plain(words))}`, place, screen })
const end = (screen: string, words: string): Reply => ({ text: `END ${clip(plain(words))}`, place: null, screen })

/** The first screen: the menu, or for a number that is nobody's the offer to be called. */
export function begin(port: Port, menu: Menu): Reply {
  if (!port.client) return ask({ at: 'callBack' }, `${port.company}: we do not know this number.\n1. Call me back`)
  return showMenu(port, menu, null, `${port.company}: welcome ${port.client.firstName}`)
}

function showMenu(port: Port, { items }: Menu, under: string | null, title?: string): Reply {
  const own = items.find(({ name }) => name === under)
  const lines = itemsUnder(items, under).map(({ label }, index) => `${index + 1}. ${label}`)
  const text = [title ?? own?.label ?? port.company, ...lines, ...(under === null ? [] : ['0. Back'])].join('\n')
  return ask({ at: 'menu', menu: under }, text, own?.label ?? names.menu)
}

/** The answer to one token: only what was typed last. */
export async function step(port: Port, menu: Menu, place: Place, typed: string): Promise<Reply> {
  const token = typed.trim()
  switch (place.at) {
    case 'menu':
      return choose(port, menu, place.menu, token)
    case 'idNumber':
      return afterCheck(
        await port.checkIdNumber(token),
        place,
        () => ask({ at: 'newPin', goal: place.goal }, 'Choose a PIN of 4 digits'),
        'ID number',
      )
    case 'pin':
      return /^\d{4}$/.test(token)
        ? afterCheck(await port.checkPin(token), place, () => unlocked(port, place.goal), 'PIN')
        : ask(place, 'A PIN has 4 digits. Enter your PIN')
    case 'newPin':
      if (!/^\d{4}$/.test(token)) return ask(place, 'A PIN has 4 digits. Choose a PIN')
      if (isWeak(token)) return ask(place, 'That PIN is easy to guess. Choose another one')
      return ask({ at: 'repeatPin', goal: place.goal, hash: await port.hash(token) }, 'Enter the new PIN again')
    case 'repeatPin':
      return repeated(port, place, token)
    case 'whichLoan':
      return loanChosen(port, menu, place, token)
    case 'howMuch':
    case 'otherAmount':
      return amountChosen(port, menu, place, token)
    case 'loanAmount':
      return loanAsked(port, menu, token)
    case 'callBack':
      if (token === '0' && port.client) return showMenu(port, menu, null)
      if (token !== '1') return ask(place, 'Not understood.\n1. Call me back')
      await port.request('Call back', null)
      return end(names.callBack, 'Thank you. We call you back.')
  }
}

async function choose(port: Port, menu: Menu, under: string | null, token: string): Promise<Reply> {
  const parent = menu.items.find(({ name }) => name === under)
  if (token === '0' && under !== null) return showMenu(port, menu, parent?.under || null)
  const item: MenuItem | undefined = /^[1-9]$/.test(token) ? itemsUnder(menu.items, under)[Number(token) - 1] : undefined
  if (!item) return showMenu(port, menu, under, 'Not understood. Choose a number')
  if (item.does === 'menu') return showMenu(port, menu, item.name)
  if (item.does === 'callBack') return ask({ at: 'callBack' }, `${item.label}?\n1. Yes\n0. Back`)
  return protectedBy(port, item.does)
}

/** What is the client's own is behind the PIN; without one it is set first, by whoever knows the ID number. */
function protectedBy({ client }: Port, goal: Deed): Reply {
  if (!client) return end('Unknown number', 'We do not know this number.')
  if (client.hasPin && client.isOtherNetwork)
    return end('Other network', 'Your number came to another network. Please ask your branch to clear your PIN.')
  if (client.hasPin) return ask({ at: 'pin', goal }, goal === 'pin' ? 'Enter your present PIN' : 'Enter your PIN')
  if (!client.hasIdNumber) return end('No ID number', 'Please bring your ID to your branch to use this service.')
  return ask({ at: 'idNumber', goal }, 'Set your PIN first. Enter your ID number')
}

async function afterCheck(verdict: Verdict, place: Place, next: () => Reply | Promise<Reply>, what: string): Promise<Reply> {
  if (verdict.kind === 'right') return next()
  if (verdict.kind === 'locked') return end('Locked', `Too many wrong tries. Try again tomorrow, or ask your branch.`)
  return ask(place, `Wrong ${what}. ${verdict.left} more ${verdict.left === 1 ? 'try' : 'tries'}. Enter it again`)
}

async function repeated(port: Port, { goal, hash }: Extract<Place, { at: 'repeatPin' }>, token: string): Promise<Reply> {
  if (!/^\d{4}$/.test(token) || !(await port.isSame(hash, token)))
    return ask({ at: 'newPin', goal }, 'The two differ. Choose a PIN of 4 digits')
  await port.setPin(hash)
  return goal === 'pin' ? end('PIN set', 'Your PIN is set. Tell it to nobody.') : unlocked(port, goal)
}

async function unlocked(port: Port, deed: Deed): Promise<Reply> {
  if (deed === 'pin') return ask({ at: 'newPin', goal: 'pin' }, 'Choose a new PIN of 4 digits')
  if (deed === 'loan') return ask({ at: 'loanAmount' }, `How much do you need in ${port.currency}?\n0. Back`)
  const loans = await port.loans()
  if (loans.length === 0) return end('No loan', 'You have no running loan.')
  if (deed === 'balance') return end('Balance', loans.map((one) => balanceOf(port, one)).join('\n'))
  const goal = deed === 'pay' ? 'pay' : 'statement'
  const [only] = loans
  if (loans.length === 1 && only) return withLoan(port, goal, only)
  return ask(
    { at: 'whichLoan', goal },
    ['Which loan?', ...loans.slice(0, 9).map(({ number }, index) => `${index + 1}. ${number}`), '0. Back'].join('\n'),
  )
}

function balanceOf(port: Port, { number, owed, due, dueOn }: LoanLine): string {
  const next = new Decimal(due).isZero() || dueOn === null ? '' : `, pay ${moneyOf(due, port)} by ${formatDay(dueOn, port.formats.date)}`
  return `${number}: ${moneyOf(owed, port)} owed${next}`
}

async function withLoan(port: Port, goal: 'statement' | 'pay', loan: LoanLine): Promise<Reply> {
  if (goal === 'pay')
    return ask(
      { at: 'howMuch', loanId: loan.id },
      `${loan.number}\n1. ${moneyOf(loan.due, port)} due\n2. ${moneyOf(loan.owed, port)} all\n3. Other amount\n0. Back`,
    )
  const payments = await port.payments(loan.id)
  const lines = payments.map(({ on, amount }) => `${formatDay(on, port.formats.date)} ${moneyOf(amount, port)}`)
  return end(
    'Statement',
    [loan.number, ...(lines.length === 0 ? ['No payments yet'] : lines), `Owed ${moneyOf(loan.owed, port)}`].join('\n'),
  )
}

async function loanChosen(port: Port, menu: Menu, place: Extract<Place, { at: 'whichLoan' }>, token: string): Promise<Reply> {
  if (token === '0') return showMenu(port, menu, null)
  const chosen = /^[1-9]$/.test(token) ? (await port.loans())[Number(token) - 1] : undefined
  return chosen ? withLoan(port, place.goal, chosen) : unlocked(port, place.goal)
}

async function amountChosen(port: Port, menu: Menu, place: Extract<Place, { loanId: string }>, token: string): Promise<Reply> {
  if (token === '0') return showMenu(port, menu, null)
  const loan = (await port.loans()).find(({ id }) => id === place.loanId)
  if (!loan) return end('No loan', 'This loan is not running any more.')
  if (place.at === 'howMuch' && token === '3') return ask({ at: 'otherAmount', loanId: loan.id }, `How much in ${port.currency}?\n0. Back`)
  const typed = asked(token, port.currency)
  const amount = place.at === 'otherAmount' ? typed : token === '1' ? loan.due : token === '2' ? loan.owed : undefined
  if (amount === undefined || new Decimal(amount).lte(0))
    return place.at === 'otherAmount' ? ask(place, `Enter an amount in ${port.currency}, such as 500`) : withLoan(port, 'pay', loan)
  return end(
    'How to pay',
    `Pay ${moneyOf(amount, port)} to ${port.payTo ?? port.company}, account ${loan.number}. It is booked as soon as it arrives.`,
  )
}

async function loanAsked(port: Port, menu: Menu, token: string): Promise<Reply> {
  if (token === '0') return showMenu(port, menu, null)
  const amount = asked(token, port.currency)
  if (amount === undefined || new Decimal(amount).lte(0))
    return ask({ at: 'loanAmount' }, `Enter an amount in ${port.currency}, such as 10000`)
  await port.request('Loan', moneyText(amount))
  return end('Loan request', `Thank you. Your request for ${moneyOf(amount, port)} is noted. We call you.`)
}
