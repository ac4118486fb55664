import { Fragment, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { Button, Popover, Tag } from 'antd'
import { isGroup, partsOf } from '@outpost/contract/envelope'
import type { FilterPart, FilterTerm } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../../session/labels.ts'
import { useReferenceLabels } from '../../../fields/parts/use-options.ts'
import { useMedia } from '../../../useMedia.ts'
import { operatorLabel, describeValue } from './filter-terms.ts'

interface FilterChipsProps {
  view: ListView
  parts: readonly FilterPart[]
  onEdit: (part: FilterPart) => void
  onRemove: (part: FilterPart) => void
}

/** The filters of a list in words, in one line where the screen is wide: those that find no room are behind "Filters". */
export function FilterChips({ view, parts, onEdit, onRemove }: FilterChipsProps) {
  const isOneLine = useMedia('(min-width: 1280px)')
  const line = useRef<HTMLSpanElement>(null)
  const fitting = useFitting(line, parts, isOneLine)
  const [isOpen, setOpen] = useState(false)
  if (parts.length === 0) return null
  const rest = parts.slice(fitting)
  const chip = (part: FilterPart) => (
    <Chip
      view={view}
      part={part}
      onEdit={() => {
        setOpen(false)
        onEdit(part)
      }}
      onRemove={() => onRemove(part)}
    />
  )
  return (
    <>
      <span ref={line} className="list-chips">
        {parts.map((part, index) => (
          <span key={keyOf(part)} className="list-chip-place" inert={index >= fitting}>
            {chip(part)}
          </span>
        ))}
      </span>
      {isOneLine && parts.length > 1 ? (
        <Popover
          trigger="click"
          placement="bottom"
          open={isOpen && rest.length > 0}
          onOpenChange={setOpen}
          destroyOnHidden
          content={
            <section aria-label={t('Further filters')}>
              <ul className="list-rest" aria-label={t('Filters')}>
                {rest.map((part) => (
                  <li key={keyOf(part)}>{chip(part)}</li>
                ))}
              </ul>
            </section>
          }
        >
          {/* It keeps its room also while there is nothing behind it: what fits must not depend on whether all fits. */}
          <Button
            className="list-more"
            data-empty={rest.length === 0}
            inert={rest.length === 0}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
          >
            {t('Filters')} +{rest.length}
          </Button>
        </Popover>
      ) : null}
    </>
  )
}

const keyOf = (part: FilterPart) => (isGroup(part) ? JSON.stringify(part) : `${part.field} ${part.op}`)

/** How many chips are in the first line of their place; all of them where there may be several lines. Measured before anything is painted. */
function useFitting(line: RefObject<HTMLElement | null>, parts: readonly FilterPart[], isOneLine: boolean): number {
  const [measured, setMeasured] = useState(parts.length)
  useLayoutEffect(() => {
    const place = line.current
    if (!place || !isOneLine) return
    const measure = () => {
      const chips = [...place.children] as HTMLElement[]
      const below = chips.findIndex((chip) => chip.offsetTop > (chips[0]?.offsetTop ?? 0))
      setMeasured(below < 0 ? chips.length : below)
    }
    measure()
    // Labels of references arrive later and are longer than the ids they replace.
    const observer = new ResizeObserver(measure)
    for (const one of [place, ...place.children]) observer.observe(one)
    return () => observer.disconnect()
  }, [line, parts, isOneLine])
  return isOneLine ? measured : parts.length
}

interface ChipProps {
  view: ListView
  part: FilterPart
  onEdit: () => void
  onRemove: () => void
}

const Chip = ({ view, part, onEdit, onRemove }: ChipProps) => (
  <Tag
    className="list-chip"
    closable
    closeIcon
    onClose={(event) => {
      event.preventDefault()
      onRemove()
    }}
    variant="outlined"
  >
    <button type="button" className="list-chip-words" onClick={onEdit}>
      <span className="o-hidden">{t('Change the filter')}: </span>
      {wordsOf(view, part)}
    </button>
  </Tag>
)

/** A group in words: its conditions with "or" or "and" between, groups in it in brackets. */
function wordsOf(view: ListView, part: FilterPart, isInside = false): ReactNode {
  if (!isGroup(part)) return <TermWords view={view} term={part} />
  const parts = partsOf(part)
  const between = ` ${t('all' in part ? 'and' : 'or')} `
  const words = parts.map((one, index) => (
    <Fragment key={keyOf(one) + index}>
      {index > 0 ? between : ''}
      {wordsOf(view, one, true)}
    </Fragment>
  ))
  return isInside && parts.length > 1 ? <>({words})</> : words
}

function TermWords({ view, term }: { view: ListView; term: FilterTerm }) {
  const field = view.fields.find((one) => one.key === term.field)
  const labels = useReferenceLabels(field?.reference, field?.reference ? [term.value].flat().map(String) : [])
  return `${t(field?.label ?? term.field)} ${t(operatorLabel(term.op, field?.kind ?? 'text'))} ${describeValue(term, field, labels)}`.trim()
}
