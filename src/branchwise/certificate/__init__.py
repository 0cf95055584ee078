"""The certificate: an answer with its proof, and the checker that trusts no engine."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.certificate.certificate import Certificate as Certificate
    from branchwise.certificate.verify import Verdict as Verdict

__all__, __getattr__, __dir__ = lazy(
    __name__, {"certificate": "Certificate", "verify": "Verdict"}
)
