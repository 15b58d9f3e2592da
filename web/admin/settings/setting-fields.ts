import { builtInSettings } from '#contract/built-in-settings.ts';
import { type FieldText, optionLabel } from '../content/sections.ts';
import type { SavingTexts } from '../content/saving-texts.ts';

const onOffOptions = { options: ['on', 'off'], optionLabels: { on: 'On', off: 'Off' } } as const;
const proofLabels = { off: 'Off', before: 'Before I approve them', after: 'After I approve them' };

/** The fields of the owner's settings: what each one does, its unit and its default. */
export const settingFields: FieldText[] = [
  addDefaultHint({
    name: 'autoApprove',
    label: 'Approve videos automatically',
    kind: 'choice',
    ...onOffOptions,
    hint: 'Finished videos go to the customer without your review, starting with the next one that is finished.',
    variable: 'AUTO_APPROVE',
  }),
  addDefaultHint({
    name: 'proof',
    label: 'Customers check their videos',
    kind: 'choice',
    options: Object.keys(proofLabels),
    optionLabels: proofLabels,
    hint: 'Customers look at their videos before delivery and can ask for another motion for three days.',
    variable: 'PROOF',
  }),
  addDefaultHint({
    name: 'customerRedos',
    label: 'Videos made again',
    kind: 'number',
    hint: 'How many videos of one frame its customer may have made again, from 0 to 99.',
    variable: 'CUSTOMER_REDOS',
  }),
  addDefaultHint({
    name: 'previews',
    label: 'Previews while uploading',
    kind: 'choice',
    ...onOffOptions,
    hint: 'Each photo gets a short preview of its video while the customer adds more.',
    variable: 'PREVIEWS',
  }),
  addDefaultHint({
    name: 'trials',
    label: 'Free video for visitors',
    kind: 'choice',
    ...onOffOptions,
    hint: 'Visitors can try one photo before they buy, and pages link to it.',
    variable: 'TRIAL',
  }),
  {
    name: 'frameCostDollars',
    label: 'Cost of a frame',
    kind: 'number',
    optional: true,
    hint: 'What you pay for one frame, in dollars. We use it to calculate your profit.',
    defaultHint: 'Leave it empty to leave frames out.',
    variable: 'FRAME_COST',
  },
  {
    name: 'shippingCostDollars',
    label: 'Cost of a package',
    kind: 'number',
    optional: true,
    hint: 'What you pay to ship one package, in dollars. We use it to calculate your profit.',
    defaultHint: 'Leave it empty to leave packages out.',
    variable: 'SHIPPING_COST',
  },
];

function addDefaultHint(field: FieldText & { name: keyof typeof builtInSettings }): FieldText {
  return { ...field, defaultHint: `Default: ${optionLabel(field, String(builtInSettings[field.name]))}.` };
}

export const settingsTexts: SavingTexts = {
  savedTitle: 'Settings saved',
  effect: 'They apply from now on.',
  current: 'In use',
  conflict: {
    title: 'Someone else saved the settings',
    description:
      'They were saved in another tab or by someone else after you opened them. Nothing was overwritten. Which version should apply?',
  },
  unsaved: 'The defaults apply.',
};
