import { triedNames, triedTags } from '../../../report/tried-strings.js';
import { singleRequestProbes } from '../../probe.js';
import { creation } from '../requests.js';

const withName = singleRequestProbes('open', 'valid', 'plain-plant');
const withTag = singleRequestProbes('open', 'valid', 'plain-plant-with-tag');
const rules = ['success/texts-come-back'];

/** Names that a provider may reject. An accepted name must come back unchanged. */
export const nameProbes = triedNames.map(([kind, description, name]) => ({
  ...withName(`name-with-${kind}`, `a plant with a name ${description}`, (values) =>
    creation(values, { name }),
  ),
  rules,
}));

/** Tags that a provider may reject. An accepted tag must come back unchanged. */
export const tagProbes = triedTags.map(([kind, description, tag]) => ({
  ...withTag(`tag-with-${kind}`, `a plant with a tag ${description}`, (values) => creation(values, { tag })),
  rules,
}));
