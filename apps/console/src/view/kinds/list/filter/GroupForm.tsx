import { useState } from 'react'
import { Button, Radio } from 'antd'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { deepestGroup } from '@outpost/contract/envelope'
import type { FilterGroup } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../../session/labels.ts'
import { countOf, draftOf, groupOf, isDraftGroup, isReady, maxEntered, newGroup, newPart, withPart } from './groups.ts'
import type { DraftGroup } from './groups.ts'
import { TermFields } from './TermFields.tsx'

interface GroupFormProps {
  view: ListView
  group?: FilterGroup
  onDone: (group: FilterGroup) => void
  onCancel: () => void
}

/** Puts a group of conditions together, of which all or any must hold; a group may hold further ones. */
export function GroupForm({ view, group, onDone, onCancel }: GroupFormProps) {
  const [draft, setDraft] = useState(() => (group ? draftOf(group) : newGroup(view)))
  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault()
    if (isReady(draft)) onDone(groupOf(draft))
  }
  return (
    <form
      noValidate
      className="group-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
      aria-label={t('Group of conditions')}
    >
      <div className="group-form-parts" tabIndex={0} role="group" aria-label={t('Conditions')}>
        <Parts view={view} group={draft} depth={1} isFull={countOf(draft) >= maxEntered} onChange={setDraft} />
      </div>
      <div className="term-form-end">
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button type="primary" htmlType="submit" disabled={!isReady(draft)}>
          {t(group ? 'Change' : 'Add filter')}
        </Button>
      </div>
    </form>
  )
}

interface PartsProps {
  view: ListView
  group: DraftGroup
  depth: number
  isFull: boolean
  onChange: (group: DraftGroup) => void
}

function Parts({ view, group, depth, isFull, onChange }: PartsProps) {
  const [name] = useState(() => `join-${group.id}`)
  return (
    <fieldset className="group-parts">
      <legend className="o-hidden">{t(depth === 1 ? 'Group' : 'Group within the group')}</legend>
      <Radio.Group
        name={name}
        optionType="button"
        size="small"
        value={group.join}
        onChange={(event) => onChange({ ...group, join: event.target.value as DraftGroup['join'] })}
        options={[
          { value: 'any', label: t('Any of these') },
          { value: 'all', label: t('All of these') },
        ]}
      />
      <ol>
        {group.parts.map((part, index) => {
          const remove = (
            <Button
              size="small"
              type="text"
              icon={<DeleteOutlined aria-hidden />}
              aria-label={`${t('Remove')} ${t(isDraftGroup(part) ? 'group' : 'condition')} ${index + 1}`}
              onClick={() => onChange(withPart(group, part.id))}
            />
          )
          return (
            <li key={part.id}>
              {isDraftGroup(part) ? (
                <Parts
                  view={view}
                  group={part}
                  depth={depth + 1}
                  isFull={isFull}
                  onChange={(next) => onChange(withPart(group, part.id, next))}
                />
              ) : (
                <div className="group-term" role="group" aria-label={`${t('Condition')} ${index + 1}`}>
                  <TermFields
                    id={`term-${part.id}`}
                    view={view}
                    term={part.term}
                    onChange={(term) => onChange(withPart(group, part.id, { ...part, term }))}
                    autoFocus={depth === 1 && index === 0}
                  />
                </div>
              )}
              {remove}
            </li>
          )
        })}
      </ol>
      <Button
        size="small"
        icon={<PlusOutlined aria-hidden />}
        disabled={isFull}
        onClick={() => onChange({ ...group, parts: [...group.parts, newPart(view)] })}
      >
        {t('Condition')}
      </Button>
      {depth < deepestGroup ? (
        <Button
          size="small"
          icon={<PlusOutlined aria-hidden />}
          disabled={isFull}
          onClick={() => onChange({ ...group, parts: [...group.parts, newGroup(view)] })}
        >
          {t('Group')}
        </Button>
      ) : null}
    </fieldset>
  )
}
