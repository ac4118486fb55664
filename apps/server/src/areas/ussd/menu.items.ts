import type { FieldError } from '@outpost/contract/errors'

/** What an item of a menu does. */
export const deeds = [
  { value: 'menu', label: 'Opens a menu' },
  { value: 'balance', label: 'Tells the balance' },
  { value: 'statement', label: 'Tells the last payments' },
  { value: 'pay', label: 'Says how to pay' },
  { value: 'loan', label: 'Takes a request for a loan' },
  { value: 'pin', label: 'Sets or changes the PIN' },
  { value: 'callBack', label: 'Has the agent call back' },
] as const
export type Deed = (typeof deeds)[number]['value']

export interface MenuItem {
  name: string
  under: string | null
  label: string
  does: Deed
}
export interface Menu {
  id: string | null
  /** 0: the one that comes with the program. */
  number: number
  payTo: string | null
  items: readonly MenuItem[]
}

const item = (name: string, label: string, does: Deed, under: string | null = null): MenuItem => ({ name, under, label, does })
/** What a company shows until it has published a menu of its own. */
export const standardItems: readonly MenuItem[] = [
  item('balance', 'My balance', 'balance'),
  item('statement', 'Last payments', 'statement'),
  item('pay', 'Pay now', 'pay'),
  item('loan', 'Ask for a loan', 'loan'),
  item('more', 'More', 'menu'),
  item('pin', 'Set or change PIN', 'pin', 'more'),
  item('callBack', 'Call me back', 'callBack', 'more'),
]
export const standardMenu: Menu = { id: null, number: 0, payTo: null, items: standardItems }

/** Keys of a menu are 1 to 9; 0 leads back. */
const most = 9

/** Items of one menu, in their order. */
export const itemsUnder = (items: readonly MenuItem[], under: string | null) => items.filter((one) => (one.under || null) === under)

/** What is wrong with the items of a menu, by line. */
export function itemFaults(items: readonly MenuItem[]): FieldError[] {
  const menus = new Set(items.filter(({ does }) => does === 'menu').map(({ name }) => name))
  const faults = items.flatMap(({ name, under, does }, place): FieldError[] => {
    const at = (field: string, message: string) => ({ field: `items.${place}.${field}`, message })
    const parent = under || null
    return [
      ...(items.findIndex((one) => one.name === name) < place ? [at('name', 'is used by another item')] : []),
      ...(parent !== null && !menus.has(parent) ? [at('under', 'names no item that opens a menu')] : []),
      ...(parent !== null && menus.has(parent) && isInCircle(items, name) ? [at('under', 'leads back to itself')] : []),
      ...(does === 'menu' && itemsUnder(items, name).length === 0 ? [at('does', 'opens a menu without items')] : []),
    ]
  })
  const full = [null, ...menus].filter((menu) => itemsUnder(items, menu).length > most)
  const none = itemsUnder(items, null).length === 0 ? [{ field: 'items', message: 'need one in the first menu at least' }] : []
  return [...faults, ...none, ...full.map((menu) => ({ field: 'items', message: `may be ${most} at most in ${menu ?? 'the first menu'}` }))]
}

function isInCircle(items: readonly MenuItem[], name: string): boolean {
  const seen = new Set<string>()
  for (let at: string | null | undefined = name; at; at = items.find((one) => one.name === at)?.under) {
    if (seen.has(at)) return true
    seen.add(at)
  }
  return false
}
