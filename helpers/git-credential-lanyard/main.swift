import HelperKit
