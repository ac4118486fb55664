import type { MergePart } from '@outpost/rules/merge'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { sameText, wordsOf, type Side } from './choice.ts'

interface PartChoiceProps {
  part: MergePart
  a: Row
  b: Row
  chosen: Side
  onChoose: (side: Side) => void
}

/** One part of both records, of which one is taken; the same words need no choice. */
export function PartChoice({ part, a, b, chosen, onChoose }: PartChoiceProps) {
  const isSame = sameText(part, a, b)
  return (
    <fieldset className="lm-part">
      <legend>{t(part.label)}</legend>
      {isSame ? (
        <p className="lm-same">{wordsOf(part, a)}</p>
      ) : (
        (
          [
            ['a', a],
            ['b', b],
          ] as const
        ).map(([side, person]) => (
          <label key={side} data-chosen={chosen === side}>
            <input type="radio" name={`part-${part.key}`} checked={chosen === side} onChange={() => onChoose(side)} />
            <span>{wordsOf(part, person)}</span>
          </label>
        ))
      )}
    </fieldset>
  )
}
