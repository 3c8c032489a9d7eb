"""Words of everyday English that some source has as a name, and that name nothing where they stand alone in a text."""

from __future__ import annotations

from functools import cache
from typing import Final

from .words import normalise

_COMMON: Final = """
    abnormal absent acquired active activity acute adult advanced all anterior apical asymptomatic atypical basal benign
    bilateral birth blue breath broad call cat central child children childhood chronic clinical cold complete complex
    congenital constant cured cut day death decreased deep defect deficiency deficient delay diagnosis diet diffuse
    distal doctor dominant drug dull early elevated emergency enlarged episodic evolution excess excision extent
    external factor failed failure fall family fat father fatal fetal fibers fine focal food form frequent function gap
    generalized genetic genetics great growth hard head health hepatic hereditary high hospital hot human hyper immune
    impaired increased infant inheritance inherited injured inside intermittent internal intravenous invasive isolated
    juvenile kind large late lateral laughing lead learning left length lethal leave life light limb little local long
    loss low lower malignant man marked maternal mean medial medication medicine metabolism middle mild mother moderate
    multiple narrow neck negative neonatal neural newborn nocturnal noise none nonspecific normal nurse of old onset
    open operation organ outcome overgrowth pale partial patient period peripheral person physician positive posterior
    prevalence previous primary process product profound progression progressive prominent proximal quality rare rate
    reaction recessive recurrent red reduced reflex refractory relapse removal renal resources respiratory resting
    result retinal right ring root scale secondary sensitive sensitization severe severity short shock side sign slow
    small social soft solid spare speed split sporadic stable stage standard status sudden superior support surface
    susceptible symptom symptomatic symptoms systemic tall temporary test thin tired tissue toxic transcription
    transient translation translocation treatment triggered tubular type typical uncommon unilateral upper variable
    variation weak week white wide woman women work yellow young
    """


@cache
def common_words() -> frozenset[str]:
    """Give the words.

    Returns:
        The words in their form for comparison.
    """
    return frozenset(normalise(word) for word in _COMMON.split())
