/** A name and the middle of where it is drawn, in pixels. */
export interface NameBox {
  name: string
  left: number
  top: number
  isCountry: boolean
}

/** Pixels: of one letter at the size of the style sheet, of a line, and of the free space around a name. */
const letter = { place: 6.6, country: 8.6 }
const lineHeight = 16
const gap = 6
const maxNames = 70

/** The names that do not overlap, the most important first. */
export function chooseNames(names: readonly NameBox[]): NameBox[] {
  const chosen: { name: NameBox; half: number }[] = []
  for (const name of names) {
    if (chosen.length === maxNames) break
    const half = (name.name.length * (name.isCountry ? letter.country : letter.place)) / 2
    const touches = chosen.some(
      (other) => Math.abs(other.name.left - name.left) < other.half + half + gap && Math.abs(other.name.top - name.top) < lineHeight + gap,
    )
    if (!touches) chosen.push({ name, half })
  }
  return chosen.map(({ name }) => name)
}
