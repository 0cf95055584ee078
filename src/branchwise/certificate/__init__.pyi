from branchwise.certificate.certificate import Certificate as Certificate
from branchwise.certificate.verify import Verdict as Verdict
