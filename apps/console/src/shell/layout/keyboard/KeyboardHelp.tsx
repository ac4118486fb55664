import { Modal, Switch } from 'antd'
import { useState } from 'react'
import type { ShortcutGroup } from '../../../session/shortcut.ts'
import { areSingleKeysOn, switchSingleKeys } from './shortcuts.ts'
import { t } from '../../../session/labels.ts'

/** What is declared beside each part that listens for keys, whatever part that is. */
const declared = import.meta.glob<Record<string, ShortcutGroup>>('../../../**/*.shortcuts.ts', { eager: true })
const groups = Object.values(declared)
  .flatMap((file) => Object.values(file))
  .toSorted((a, b) => a.order - b.order)

/** All shortcuts, and the switch for those of a single key. */
export function KeyboardHelp({ close }: { close: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn)
  const change = (next: boolean): void => {
    switchSingleKeys(next)
    setOn(next)
  }
  return (
    <Modal open title={t('Keyboard shortcuts')} footer={null} onCancel={close}>
      {groups.map(({ group, shortcuts }) => (
        <section key={group} className="o-keys">
          <h2>{t(group)}</h2>
          <dl>
            {shortcuts.map(({ keys, label, isSingleKey }) => (
              <div key={label} data-off={(isSingleKey && !isOn) || undefined}>
                <dt>{t(label)}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className="o-keys-switch">
        <Switch checked={isOn} onChange={change} aria-label={t('Shortcuts of a single key')} /> {t('Shortcuts of a single key')}
      </label>
    </Modal>
  )
}
